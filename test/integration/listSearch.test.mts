import { randomUUID } from 'node:crypto';
import { NodeApiError } from 'n8n-workflow';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture();

const searchWithWrongKey = async (method: 'searchUsers' | 'searchWebhooks', filter?: string) =>
	await node.search(
		method,
		filter,
		undefined,
		credentialFor({ origin: node.service.origin, key: { id: 'no', secret: 'no' } }),
	);

describe('searchUsers', () => {
	it('searchUsers names users by their readable fields, never by personal numbers', async () => {
		const { results } = await node.search('searchUsers');
		const names = results.map(({ name }) => name);
		expect(names).toContain('Bob Jones · bob.jones@example.com · crm-1001 · Whole Goods');
		expect(names).toContain('crm-1002');
		expect(names).toContain('Joe Burnam · joe.burnam@example.com · Whole Goods');
		expect(JSON.stringify(results)).not.toMatch(/522-09|1980/);
		expect(results.map(({ value }) => value).sort()).toEqual([...node.service.users.keys()].sort());
	});

	it('searchUsers names a user without any readable field by the ID', async () => {
		const [id = ''] = node.service.users.keys();
		node.service.users.set(id, { id });
		expect((await node.search('searchUsers')).results).toContainEqual({ name: id, value: id });
	});

	it('searchUsers filters by any part of the name or ID, ignoring case', async () => {
		expect((await node.search('searchUsers', 'JOE')).results).toHaveLength(1);
		expect((await node.search('searchUsers', ' crm-1002 ')).results).toHaveLength(1);
		const [id = ''] = node.service.users.keys();
		expect((await node.search('searchUsers', id.toUpperCase())).results).toMatchObject([{ value: id }]);
		expect(await node.search('searchUsers', 'nobody')).toEqual({
			results: [],
			paginationToken: undefined,
		});
	});
});

describe('searchUsers among thousands', () => {
	let last: string;
	beforeEach(() => {
		const [model] = node.service.users.values();
		for (let index = 0; index < 2_500; index++) {
			last = randomUUID();
			node.service.users.set(last, {
				...model,
				id: last,
				external_id: `crm-${10_000 + index}`,
				first_name: `No${index}`,
			});
		}
	});

	it('searchUsers finds one of thousands with two requests by the complete external ID or ID', async () => {
		const byExternalId = await node.search('searchUsers', 'crm-12499');
		expect(byExternalId.results.map(({ value }) => value)).toEqual([last]);
		expect(node.service.requests).toHaveLength(2);
		const byOwnId = await node.search('searchUsers', ` ${last.toUpperCase()} `);
		expect(byOwnId.results.map(({ value }) => value)).toEqual([last]);
		expect(node.service.requests).toHaveLength(4);
	});

	it('searchUsers lists an exact match first, and only once', async () => {
		const { results } = await node.search('searchUsers', 'crm-1001');
		const ids = results.map(({ value }) => value);
		expect(results[0]?.name).toContain('Bob Jones');
		expect(ids.length).toBeGreaterThan(1);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('searchUsers reads ten pages for a name, and more when n8n asks for the next ones', async () => {
		const first = await node.search('searchUsers', 'No2499');
		expect(first.results).toEqual([]);
		expect(node.service.requests).toHaveLength(11);
		const second = await node.search('searchUsers', 'No2499', String(first.paginationToken));
		expect(second.results.map(({ value }) => value)).toEqual([last]);
	});

	it('searchUsers finds nothing for an unknown ID', async () => {
		const { results } = await node.search('searchUsers', randomUUID());
		expect(results).toEqual([]);
	});

	it('searchUsers fails with a wrong key', async () => {
		await expect(searchWithWrongKey('searchUsers', randomUUID())).rejects.toThrow('does not know this API key');
	});
});

describe('searchWebhooks', () => {
	const addSubscriptions = (count: number, name = 'n') => {
		for (let index = 0; index < count; index++) {
			const made = newSubscription({
				name: `${name}${index}`,
				url: `https://example.com/${index}`,
				events: ['users.fully_synced', 'accounts.added'],
				secret: 'clear',
			});
			node.service.subscriptions.set(made.id, made);
		}
	};

	it('searchWebhooks names subscriptions by name, URL and events, without the secret', async () => {
		addSubscriptions(1);
		const { results } = await node.search('searchWebhooks');
		expect(results[0]?.name).toBe('n0 · https://example.com/0 · users.fully_synced, accounts.added');
		expect(JSON.stringify(results)).not.toContain('clear');
	});

	it('searchWebhooks continues with the next page, and ends', async () => {
		addSubscriptions(205);
		const first = await node.search('searchWebhooks');
		expect(first.results).toHaveLength(200);
		const second = await node.search('searchWebhooks', undefined, String(first.paginationToken));
		expect(second.results).toHaveLength(5);
		expect(second.paginationToken).toBeUndefined();
	});

	it('searchWebhooks reads pages until something matches', async () => {
		addSubscriptions(250);
		addSubscriptions(1, 'needle');
		expect((await node.search('searchWebhooks', 'needle')).results).toHaveLength(1);
	});

	it('searchWebhooks lists nothing for an empty account, and starts at the first page on an unknown token', async () => {
		expect((await node.search('searchWebhooks')).results).toEqual([]);
		addSubscriptions(1);
		for (const token of ['nonsense', '7', '{"cursor":7}'])
			expect((await node.search('searchWebhooks', '', token)).results).toHaveLength(1);
	});

	it('searchWebhooks skips records without an ID and accepts records with little else', async () => {
		const made = newSubscription({ events: [] });
		node.service.addFault({
			kind: 'status',
			status: 200,
			body: { next: null, results: [{ name: 'no id' }, { id: made.id, name: '', url: 7, events: null }] },
		});
		expect((await node.search('searchWebhooks')).results).toEqual([{ name: made.id, value: made.id }]);
	});

	it('searchWebhooks fails with a NodeApiError for a wrong key', async () => {
		await expect(searchWithWrongKey('searchWebhooks')).rejects.toThrow(NodeApiError);
		await expect(searchWithWrongKey('searchWebhooks')).rejects.toThrow('does not know this API key');
	});
});
