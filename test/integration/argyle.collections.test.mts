import { randomUUID } from 'node:crypto';
import { userForm } from '../support/fakeArgyle/seed.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const run = async (resource: string, operation: string, parameters: object) =>
	await node.run({ resource, operation, ...parameters });

describe('User', () => {
	it('User Get outputs the record unchanged', async () => {
		const [user] = node.service.users.values();
		expect((await run('user', 'get', { userId: byId(user?.id ?? '') }))[0]?.json).toEqual(user);
	});

	it('User Get names a user that does not exist', async () => {
		const id = randomUUID();
		const error = await failure(run('user', 'get', { userId: byId(id) }));
		expect(error.message).toBe(`Argyle could not find the user ${id} [item 0]`);
	});

	it('User Get Many outputs all pages, or as many as Limit', async () => {
		const [model] = node.service.users.values();
		for (let index = 0; index < 450; index++) {
			const id = randomUUID();
			node.service.users.set(id, { ...model, id });
		}
		const all = await run('user', 'getAll', { returnAll: true, filters: {} });
		expect(all.map(({ json }) => json.id)).toEqual([...node.service.users.keys()]);
		expect(node.service.requests).toHaveLength(3);
		expect(await run('user', 'getAll', { returnAll: false, limit: 7, filters: {} })).toHaveLength(7);
	});

	it('User Get Many filters by external ID', async () => {
		const found = await run('user', 'getAll', { returnAll: true, filters: { externalId: 'crm-1002' } });
		expect(found.map(({ json }) => json.external_id)).toEqual(['crm-1002']);
		expect(node.service.requests[0]?.query).toContain('external_id=crm-1002');
	});

	it('User Get Many outputs nothing when no user matches', async () => {
		expect(await run('user', 'getAll', { returnAll: true, filters: { externalId: 'nobody' } })).toEqual([]);
	});
});

describe('User Form', () => {
	it('User Form Get outputs the record unchanged', async () => {
		const form = userForm(randomUUID(), 'Harbour Taxi', 'Cash');
		node.service.userForms.set(form.id, form);
		expect((await run('userForm', 'get', { userFormId: ` ${form.id} ` }))[0]?.json).toEqual(form);
	});

	it.each([
		['get', { userFormId: '' }, 'User Form ID is missing'],
		['get', { userFormId: 'the form' }, 'User Form ID is not a valid ID'],
		['getAll', { returnAll: true, filters: { user: 'bob' } }, 'User ID is not a valid ID'],
		['getAll', { returnAll: true, filters: { account: 'bob' } }, 'Account ID is not a valid ID'],
	])('User Form %s with %p fails before any request', async (operation, parameters, message) => {
		expect((await failure(run('userForm', operation, parameters))).message).toBe(`${message} [item 0]`);
		expect(node.service.requests).toHaveLength(0);
	});

	it('User Form Get Many filters by account or user', async () => {
		const user = node.userId(2);
		const [form] = [...node.service.userForms.values()].filter((each) => each.user === user);
		const ofUser = await run('userForm', 'getAll', { returnAll: true, filters: { user } });
		expect(ofUser.map(({ json }) => json.id)).toEqual([form?.id]);
		const ofAccount = await run('userForm', 'getAll', { returnAll: true, filters: { account: form?.account } });
		expect(ofAccount.map(({ json }) => json.id)).toEqual([form?.id]);
		expect(await run('userForm', 'getAll', { returnAll: true, filters: {} })).toHaveLength(node.service.userForms.size);
	});

	it('User Form Get fails when the response is no record', async () => {
		node.service.addFault({ kind: 'status', status: 200, body: [] });
		const error = await failure(run('userForm', 'get', { userFormId: randomUUID() }));
		expect(error.message).toBe("Argyle sent a user form that can't be read [item 0]");
	});
});
