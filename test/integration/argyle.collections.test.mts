import { randomUUID } from 'node:crypto';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { userForm } from '../support/fakeArgyle/seed.mts';
import { runArgyle } from '../support/n8nCore/nodeFixture.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { byId } from '../support/n8nCore/runs.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';

let service: FakeArgyle;
beforeEach(async () => (service = await startFakeArgyle({ requestsPerSecond: 1_000 })));
afterEach(async () => await service.stop());

const run = async (resource: string, operation: string, parameters: object) =>
	await runArgyle(credentialFor(service), {
		parameters: JSON.parse(JSON.stringify({ resource, operation, ...parameters })),
	});
const paths = () => service.requests.map(({ path, query }) => path + query);

describe('User', () => {
	it('Get gives the record as it is', async () => {
		const [user] = service.users.values();
		expect((await run('user', 'get', { userId: byId(user?.id ?? '') }))[0]?.json).toEqual(user);
	});

	it('Get names the user that is not there', async () => {
		const id = randomUUID();
		const error = await failure(run('user', 'get', { userId: byId(id) }));
		expect(error.message).toBe(`Argyle could not find the user ${id} [item 0]`);
	});

	it('Get Many gives all over all pages, or up to the limit', async () => {
		const [model] = service.users.values();
		for (let index = 0; index < 450; index++) {
			const id = randomUUID();
			service.users.set(id, { ...model, id });
		}
		const all = await run('user', 'getAll', { returnAll: true, filters: {} });
		expect(all.map(({ json }) => json.id)).toEqual([...service.users.keys()]);
		expect(service.requests).toHaveLength(3);
		expect(await run('user', 'getAll', { returnAll: false, limit: 7, filters: {} })).toHaveLength(7);
	});

	it('Get Many finds by the external ID', async () => {
		const found = await run('user', 'getAll', { returnAll: true, filters: { externalId: 'crm-1002' } });
		expect(found.map(({ json }) => json.external_id)).toEqual(['crm-1002']);
		expect(paths()[0]).toContain('external_id=crm-1002');
	});

	it('Get Many gives nothing for nobody', async () => {
		expect(await run('user', 'getAll', { returnAll: true, filters: { externalId: 'nobody' } })).toEqual([]);
	});
});

describe('User Form', () => {
	it('Get gives the record as it is', async () => {
		const form = userForm(randomUUID(), 'Harbour Taxi', 'Cash');
		service.userForms.set(form.id, form);
		expect((await run('userForm', 'get', { userFormId: ` ${form.id} ` }))[0]?.json).toEqual(form);
	});

	it.each([
		['get', { userFormId: '' }, 'User Form ID is missing'],
		['get', { userFormId: 'the form' }, 'User Form ID is not a valid ID'],
		['getAll', { returnAll: true, filters: { user: 'bob' } }, 'User ID is not a valid ID'],
		['getAll', { returnAll: true, filters: { account: 'bob' } }, 'Account ID is not a valid ID'],
	])('%s with %p is told before any request', async (operation, parameters, message) => {
		expect((await failure(run('userForm', operation, parameters))).message).toBe(`${message} [item 0]`);
		expect(service.requests).toHaveLength(0);
	});

	it('Get Many leaves the forms of an account or a user', async () => {
		const [, , user = ''] = service.users.keys();
		const [form] = [...service.userForms.values()].filter((each) => each.user === user);
		const ofUser = await run('userForm', 'getAll', { returnAll: true, filters: { user } });
		expect(ofUser.map(({ json }) => json.id)).toEqual([form?.id]);
		const ofAccount = await run('userForm', 'getAll', { returnAll: true, filters: { account: form?.account } });
		expect(ofAccount.map(({ json }) => json.id)).toEqual([form?.id]);
		expect(await run('userForm', 'getAll', { returnAll: true, filters: {} })).toHaveLength(service.userForms.size);
	});

	it('Get Many says what an account has to be', async () => {
		service.addFault({ kind: 'status', status: 200, body: [] });
		const error = await failure(run('userForm', 'get', { userFormId: randomUUID() }));
		expect(error.message).toBe("Argyle sent a user form that can't be read [item 0]");
	});
});
