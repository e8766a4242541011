import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { fill, runWebhook } from '../support/n8nCore/runs.mts';

let service: FakeArgyle;
beforeEach(async () => {
	service = await startFakeArgyle({ requestsPerSecond: 1_000 });
});
afterEach(async () => await service.stop());

const run = async (operation: string, parameters: Record<string, unknown>) =>
	await runWebhook(service, operation, parameters);

describe('Get Many', () => {
	const list = { returnAll: true, filters: {}, options: {} };

	it('returns all 205 over two pages', async () => {
		fill(service, 205);
		const items = await run('getAll', list);
		expect(items).toHaveLength(205);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(205);
		expect(service.requests).toHaveLength(2);
		expect(service.requests[0]?.query).toContain('limit=200');
		expect(JSON.stringify(items)).not.toContain('"clear"');
	});

	it('stops at the limit, on whichever page that is', async () => {
		fill(service, 205);
		expect(await run('getAll', { ...list, returnAll: false, limit: 7 })).toHaveLength(7);
		expect(service.requests.map(({ query }) => query)).toEqual(['?limit=7']);
		expect(await run('getAll', { ...list, returnAll: false, limit: 203 })).toHaveLength(203);
		expect(await run('getAll', { ...list, returnAll: false })).toHaveLength(50);
	});

	it('gives no item for an empty account', async () => expect(await run('getAll', list)).toEqual([]));

	it('filters by creation time and sorts', async () => {
		fill(service, 5);
		const filters = {
			createdAfter: '2026-01-01T00:00:01Z',
			createdBefore: '2026-01-01T01:00:03+01:00',
			ordering: 'id',
		};
		const items = await run('getAll', { ...list, filters });
		expect(items.map(({ json }) => json.name).sort()).toEqual(['n1', 'n2', 'n3']);
		expect(items.map(({ json }) => json.id)).toEqual(items.map(({ json }) => json.id).sort());
	});

	it.each([0, -1, 1.5, 'many'])('refuses the limit %p', async (limit) => {
		expect((await failure(run('getAll', { ...list, returnAll: false, limit }))).message).toContain('Limit');
	});

	it.each(['createdAfter', 'createdBefore'])('refuses a %s that is no date', async (filter) => {
		expect((await failure(run('getAll', { ...list, filters: { [filter]: 'soon' } }))).message).toContain(
			'is not a date',
		);
		expect(service.requests).toHaveLength(0);
	});

	it.each<[string, unknown, string]>([
		['points to another host', 'https://evil.example/v2/webhooks?cursor=x', 'another host (evil.example)'],
		['is not an address', '/v2/webhooks', 'is not an address'],
		['is not even text', 7, 'is not an address'],
	])('sends nothing on when "next" %s', async (_, next, why) => {
		service.addFault({ kind: 'status', status: 200, body: { next, previous: null, results: [] } });
		const error = await failure(run('getAll', list));
		expect(error.message).toContain("list that can't be read");
		expect(error.description).toContain(why);
		expect(service.requests).toHaveLength(1);
	});

	it('follows the query of a link that names the API behind an egress proxy, at the proxy', async () => {
		fill(service, 1);
		service.addFault({
			kind: 'status',
			status: 200,
			body: { next: 'https://api.argyle.com/v2/webhooks?limit=3', results: [] },
		});
		expect(await run('getAll', list)).toHaveLength(1);
		expect(service.requests[1]?.query).toBe('?limit=3');
	});

	it('ends when the pages go round in a circle', async () => {
		service.addFault({
			kind: 'status',
			status: 200,
			times: 10,
			body: { next: `${service.origin}/v2/webhooks?cursor=same`, results: [{ id: 'x' }] },
		});
		expect((await failure(run('getAll', list))).description).toContain('circle');
		expect(service.requests.length).toBeLessThan(4);
	});

	it.each<[string, unknown]>([
		['no list', { results: 'none' }],
		['no object', []],
	])('says so when the answer is %s', async (_, body) => {
		service.addFault({ kind: 'status', status: 200, body });
		expect((await failure(run('getAll', list))).description).toContain('results');
	});

	it('takes an empty "next" for the end and leaves out what is no record', async () => {
		service.addFault({ kind: 'status', status: 200, body: { next: '', results: [{ id: 'a' }, null, 7] } });
		expect(await run('getAll', list)).toHaveLength(1);
	});
});
