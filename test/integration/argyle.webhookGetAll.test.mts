import { failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const getAll = async (parameters: object = {}) =>
	await node.run({
		resource: 'webhook',
		operation: 'getAll',
		returnAll: true,
		filters: {},
		options: {},
		...parameters,
	});

describe('Webhook Get Many', () => {
	it('Webhook Get Many outputs all 205 subscriptions of two pages, without their secrets', async () => {
		node.addSubscriptions(205);
		const items = await getAll();
		expect(items).toHaveLength(205);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(205);
		expect(node.service.requests).toHaveLength(2);
		expect(node.service.requests[0]?.query).toContain('limit=200');
		expect(JSON.stringify(items)).not.toContain('"clear"');
	});

	it('Webhook Get Many stops at Limit, on the first page or a later one, by default at 50', async () => {
		node.addSubscriptions(205);
		expect(await getAll({ returnAll: false, limit: 7 })).toHaveLength(7);
		expect(node.service.requests.map(({ query }) => query)).toEqual(['?limit=7']);
		expect(await getAll({ returnAll: false, limit: 203 })).toHaveLength(203);
		expect(await getAll({ returnAll: false })).toHaveLength(50);
	});

	it('Webhook Get Many understands Return All and Limit as text from expressions', async () => {
		node.addSubscriptions(60);
		expect(await getAll({ returnAll: '={{ "true" }}' })).toHaveLength(60);
		expect(await getAll({ returnAll: '={{ "false" }}', limit: '={{ "7" }}' })).toHaveLength(7);
	});

	it('Webhook Get Many filters by creation time and sorts', async () => {
		node.addSubscriptions(5);
		const filters = {
			createdAfter: '2026-01-01T00:00:01Z',
			createdBefore: '2026-01-01T01:00:03+01:00',
			ordering: '={{ "By ID" }}',
		};
		const items = await getAll({ filters });
		expect(items.map(({ json }) => json.name).sort()).toEqual(['n1', 'n2', 'n3']);
		expect(items.map(({ json }) => json.id)).toEqual(items.map(({ json }) => json.id).sort());
		const { message } = await failure(getAll({ filters: { ordering: '={{ "newest" }}' } }));
		expect(message).toBe('Ordering can\'t be "newest" [item 0]');
	});

	it.each<[string, unknown, string]>([
		['points to another host', 'https://evil.example/v2/webhooks?cursor=x', 'another host (evil.example)'],
		['is a path', '/v2/webhooks', 'is not an address'],
		['is a number', 7, 'is not an address'],
	])('Webhook Get Many sends no further request when "next" %s', async (_, next, why) => {
		node.service.addFault({ kind: 'status', status: 200, body: { next, previous: null, results: [] } });
		const error = await failure(getAll());
		expect(error.message).toContain("list that can't be read");
		expect(error.description).toContain(why);
		expect(node.service.requests).toHaveLength(1);
	});

	it('Webhook Get Many behind an egress proxy sends the query of a link to api.argyle.com to the proxy', async () => {
		node.addSubscriptions(1);
		node.service.addFault({
			kind: 'status',
			status: 200,
			body: { next: 'https://api.argyle.com/v2/webhooks?limit=3', results: [] },
		});
		expect(await getAll()).toHaveLength(1);
		expect(node.service.requests[1]?.query).toBe('?limit=3');
	});

	it.each(['?cursor=ab+cd==&limit=200', '?limit=200&cursor=ab%2Bcd%3D%3D'])(
		'Webhook Get Many requests the next page with the query %s of its link unchanged',
		async (query) => {
			const next = `${node.service.origin}/v2/webhooks${query}`;
			node.service.addFault({ kind: 'status', status: 200, body: { next, results: [{ id: 'a' }] } });
			node.service.addFault({ kind: 'status', status: 200, body: { next: null, results: [{ id: 'b' }] } });
			expect(await getAll()).toHaveLength(2);
			expect(node.service.requests[1]?.query).toBe(query);
		},
	);
});
