import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { ListOrder } from '../support/fakeArgyle/types.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { stopOnce, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });
const trigger = useTriggerFixture();

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString();

const getForms = async (filters: object, more: object = {}) =>
	await node.run({ resource: 'userForm', operation: 'getAll', returnAll: true, filters, ...more });

const listRequests = () => node.service.requests.filter(({ path }) => path === '/v2/user-forms');

/** One form an hour, back from `NOW`. */
function storeForms(count: number): string[] {
	return Array.from({ length: count }, (_, index) => node.service.storeForm({ createdAt: hoursAgo(index) }).form.id);
}

describe('User Form: Get Many', () => {
	it.each<[ListOrder, number]>([
		['newestFirst', 1],
		['nearlyNewestFirst', 1],
		['oldestFirst', 3],
		['shuffled', 3],
	])('finds the forms of a range in a list that is %s, with %s requests', async (listOrder, requests) => {
		await node.start({ requestsPerSecond: 1_000, listOrder });
		const forms = storeForms(500);
		const filters = { createdAfter: hoursAgo(20), createdBefore: hoursAgo(10) };
		const found = await getForms(filters);
		expect(found.map(({ json }) => json.id).sort()).toEqual(forms.slice(10, 21).sort());
		expect(listRequests()).toHaveLength(requests);
		expect(listRequests()[0]?.query).toBe('?limit=200');
	});

	it('reads on where the first page says nothing of the order', async () => {
		await node.start({ requestsPerSecond: 1_000, listOrder: 'oldestFirst' });
		for (let count = 0; count < 250; count++) node.service.storeForm({ createdAt: hoursAgo(100) });
		const [recent] = storeForms(1);
		expect((await getForms({ createdAfter: hoursAgo(1) })).map(({ json }) => json.id)).toContain(recent);
	});

	it('refuses a range that is turned round, and says which dates', async () => {
		const error = await failure(getForms({ createdAfter: '2026-11-03', createdBefore: '2026-11-01' }));
		expect(error.message).toBe('Created After is later than Created Before [item 0]');
		expect(error.description).toContain('exchange the two dates');
		expect(node.service.requests).toEqual([]);
	});

	it('gives the forms as the Argyle Trigger does, oldest first, and asks once for each account', async () => {
		const account = randomUUID();
		const [user] = node.service.users.keys();
		const [later, earlier] = [1, 2].map((hours) =>
			node.service.storeForm({ user, account, createdAt: hoursAgo(hours) }),
		);
		const items = await getForms(
			{ createdAfter: hoursAgo(3), createdBefore: hoursAgo(0) },
			{ options: { asEvents: true } },
		);
		expect(items.map(({ json }) => json.userForm)).toMatchObject([{ id: earlier?.form.id }, { id: later?.form.id }]);
		expect(node.service.requests.filter(({ path }) => path === `/v2/accounts/${account}`)).toHaveLength(1);

		trigger.parameters = { receiveBy: 'polling', includeUserForm: true, options: { includeUser: true } };
		trigger.credential = node.credential;
		const event: IDataObject = {
			event: 'user_forms.submitted',
			name: 'n8n – Forms to CRM',
			data: { account, user_form: later?.form.id },
		};
		const [brought] = await trigger.runExecute([{ json: event }], 'trigger');
		expect(items[1]?.json).toEqual(brought?.json);
	});

	it('asks for the users of 25 accounts at a time', async () => {
		for (let count = 0; count < 60; count++) node.service.storeForm({ createdAt: hoursAgo(1) });
		node.service.addFault({ kind: 'hang', path: /^\/v2\/accounts\//, times: Infinity });
		const accounts = () => node.service.requests.filter(({ path }) => path.startsWith('/v2/accounts/')).length;
		const parameters = { resource: 'userForm', operation: 'getAll', returnAll: true, options: { asEvents: true } };
		await stopOnce(
			() => accounts() === 25,
			async (signal) => await node.run(parameters, { signal }),
		);
		expect(accounts()).toBe(25);
	});

	it.each([
		['refuses to tell', 'refused the request', { kind: 'status', status: 403 } as const],
		[
			'does not know',
			'does not say which user the account',
			{ kind: 'status', status: 200, body: { id: randomUUID() } } as const,
		],
	])('gives a form whose user Argyle %s, and says why', async (_, reason, fault) => {
		node.service.storeForm({ createdAt: hoursAgo(1) });
		node.service.addFault({ ...fault, method: 'GET', path: /^\/v2\/accounts\// });
		const [item] = await getForms(
			{ createdAfter: hoursAgo(2), createdBefore: hoursAgo(0) },
			{ options: { asEvents: true } },
		);
		expect(item?.json).toMatchObject({
			data: { user: null },
			user: null,
			userError: expect.stringContaining(reason),
		});
	});
});
