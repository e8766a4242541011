import { randomUUID } from 'node:crypto';
import { SIDES } from '../support/fakeArgyle/assumed.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, runNode, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000, environment: 'sandbox', deliveryTimeoutMs: 1_000 });

/** The account that has records of every record type, and its user. */
function connected(): { account: string; user: string } {
	const [account] = node.service.accounts.values();
	if (account === undefined) throw new Error('there is no account');
	return { account: account.id, user: String(account.user) };
}

const requests = () => node.service.requests.map(({ method, path, body }) => ({ method, path, body }));
const statuses = () => node.service.requests.map(({ status }) => status);

const CONFIRMED = { confirmDeletion: true };

interface Deletion {
	resource: string;
	path: string;
	target: () => string;
	stored: (id: string) => unknown;
	isConfirmed: boolean;
}

const DELETIONS: Deletion[] = [
	{
		...{ resource: 'user', path: '/v2/users', isConfirmed: true },
		...{ target: () => connected().user, stored: (id) => node.service.users.get(id) },
	},
	{
		...{ resource: 'account', path: '/v2/accounts', isConfirmed: true },
		...{ target: () => connected().account, stored: (id) => node.service.accounts.get(id) },
	},
	{
		...{ resource: 'report', path: '/v2/reports', isConfirmed: false },
		target: () => [...node.service.records.of('reports').keys()][0] ?? '',
		stored: (id) => node.service.records.of('reports').get(id),
	},
	{
		...{ resource: 'webhook', path: '/v2/webhooks', isConfirmed: false },
		target() {
			node.addSubscriptions(1);
			return [...node.service.subscriptions.keys()][0] ?? '';
		},
		stored: (id) => node.service.subscriptions.get(id),
	},
];

const idField = (resource: string, id: string) => ({ [`${resource}Id`]: resource === 'report' ? id : byId(id) });

describe.each(DELETIONS)('$resource Delete', ({ resource, path, target, stored, isConfirmed }) => {
	const run = async (id: string, more: object = CONFIRMED, options: RunOptions = {}) =>
		await node.run({ resource, operation: 'delete', ...idField(resource, id), ...more }, options);

	it.each(SIDES)(`${resource} Delete erases the one that was chosen, %s`, async (_, assumed) => {
		Object.assign(node.service.assumed, assumed);
		const id = target();
		expect((await run(id))[0]?.json).toEqual({ deleted: true, id });
		expect(requests()).toEqual([{ method: 'DELETE', path: `${path}/${id}`, body: undefined }]);
		expect(stored(id)).toBeUndefined();
	});

	it.each([
		['is lost after the work', { kind: 'dropAfterCommit' }],
		['is lost before the work', { kind: 'drop' }],
		['is 500', { kind: 'status', status: 500 }],
		['is 502 after the work', { kind: 'statusAfterCommit', status: 502 }],
		['is 429', { kind: 'status', status: 429 }],
	] as const)(`${resource} Delete succeeds when its first answer %s`, async (_, fault) => {
		useFakeTime();
		const id = target();
		node.service.addFault({ ...fault, method: 'DELETE' });
		expect((await run(id))[0]?.json).toEqual({ deleted: true, id });
		expect(stored(id)).toBeUndefined();
	});

	it(`${resource} Delete whose answers are all lost is looked up, and done once`, async () => {
		useFakeTime();
		const id = target();
		node.service.addFault({ kind: 'dropAfterCommit', method: 'DELETE', times: Infinity });
		expect((await run(id))[0]?.json).toEqual({ deleted: true, id });
		expect(stored(id)).toBeUndefined();
	});

	it(`${resource} Delete with Retry On Fail repeats nothing that was done`, async () => {
		const id = target();
		const chosen = `={{ ["${id}", "${randomUUID()}"][$itemIndex] }}`;
		const retried = { items: [{ json: {} }, { json: {} }], retryOnFail: true, executionId: resource };
		const first = await failure(run(chosen, CONFIRMED, retried));
		expect(first.message).toContain(' [item 1]');
		expect(first.description).toContain('Item 0 was done already');
		expect((await failure(run(chosen, CONFIRMED, retried))).message).toBe(first.message);
		expect(statuses()).toEqual([204, 404, 404]);
	});

	if (isConfirmed) {
		it.each([{}, { confirmDeletion: false }, { confirmDeletion: '={{ $json.sure }}' }])(
			`${resource} Delete with %p sends nothing`,
			async (more) => {
				const id = target();
				expect(await node.refusalOf(run(id, more))).toMatch(/is off \[item 0\]$|neither on nor off \[item 0\]$/);
				expect(stored(id)).toBeDefined();
			},
		);

		it.each(["={{ $fromAI('sure', '', 'boolean') }}", '={{ $json.sure }}'])(
			`${resource} Delete in a tool sends nothing where an expression confirms it: %s`,
			async (confirmDeletion) => {
				const tool = { items: [{ json: { sure: true } }], isTool: true };
				expect(await node.refusalOf(run(target(), { confirmDeletion, agentMayAct: true }, tool))).toContain(
					"can't be an expression in a tool. Only a person decides what a model may erase",
				);
			},
		);
	}
});

const generate = async (more: object = {}, options: RunOptions = {}) =>
	await node.run(
		{
			...{ resource: 'report', operation: 'generate', reportType: 'voie', userId: byId(connected().user) },
			...{ additionalFields: {}, ...more },
		},
		options,
	);

describe('Report Generate', () => {
	it.each(['voe', 'voie', 'voe-mortgage', 'voie-mortgage'])('Report Generate of the type %s', async (reportType) => {
		const { user } = connected();
		const [item] = await generate({ reportType });
		expect(requests()).toEqual([{ method: 'POST', path: `/v2/reports/${reportType}`, body: { user } }]);
		expect(item?.json).toMatchObject({ id: expect.any(String), user, type: reportType, status: 'generating' });
	});

	it.each(['', ' ', null])('Report Generate sends no metadata where a cell is empty (%p)', async (cell) => {
		const items = [{ json: { cell } }];
		await generate({ additionalFields: { metadata: '={{ $json.cell }}' } }, { items });
		expect(requests()[0]?.body).toEqual({ user: connected().user });
	});

	it('Report Generate sends metadata, and understands types as people write them', async () => {
		await generate({ reportType: ' employment for mortgages (VOE) ', additionalFields: { metadata: '{"loan": 7}' } });
		expect(requests()[0]).toMatchObject({ path: '/v2/reports/voe-mortgage', body: { metadata: { loan: 7 } } });
	});

	it.each<[object, string]>([
		[{ reportType: 'voa' }, 'Report Type can\'t be "voa" [item 0]'],
		[{ reportType: '={{ $json.type }}' }, 'Report Type is missing [item 0]'],
		[{ additionalFields: { metadata: 'loan' } }, 'Metadata is no JSON object [item 0]'],
	])('Report Generate with %p sends nothing', async (more, message) => {
		expect(await node.refusalOf(generate(more))).toBe(message);
	});

	it.each(['400', '429'] as const)('the eleventh report of a day, answered by %s, says what to do', async (status) => {
		useFakeTime();
		node.service.assumed.eleventhReport = status;
		node.service.records.of('reports').clear();
		const items = Array.from({ length: 11 }, () => ({ json: {} }));
		const output = await generate({}, { items, continueOnFail: true });
		expect(output[10]?.json).toEqual({
			error: 'Argyle makes no more than 10 reports of a user a day [item 10]',
			message: expect.stringMatching(
				/delete one of today's reports, so that another can be made.*Report limit reached.*Trace ID/,
			),
		});
		const [first] = node.service.records.of('reports').keys();
		await node.run({ resource: 'report', operation: 'delete', reportId: first });
		expect((await generate())[0]?.json.status).toBe('generating');
	});

	it('Report Generate, whose answer was lost, finds the report of its type alone', async () => {
		useFakeTime();
		await generate({ reportType: 'voe' });
		node.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		const count = node.service.records.of('reports').size;
		const [item] = await generate();
		expect(item?.json).toMatchObject({ type: 'voie', status: 'generating' });
		expect(node.service.records.of('reports').size).toBe(count + 1);
	});
});

const onAccount = async (operation: string, id = connected().account, credential: object = {}) =>
	await node.run({ resource: 'account', operation, accountId: byId(id), ...credential });

describe('actions on an account', () => {
	it('Account Simulate New Data with a key of Production is refused before anything is sent', async () => {
		const production = { ...node.credential, environment: 'production' };
		const parameters = { resource: 'account', operation: 'simulateNewData', accountId: byId(connected().account) };
		expect(await node.refusalOf(runNode(production, parameters))).toBe(
			'New data can be simulated only in Sandbox [item 0]',
		);
	});

	it('Account Disable Refresh says so where Argyle refuses it', async () => {
		node.service.assumed.disableRefresh = '403';
		expect((await failure(onAccount('disableRefresh'))).description).toContain('is not enabled for this workspace');
	});
});
