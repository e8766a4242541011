import { randomUUID } from 'node:crypto';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { dropPackets, useFakeTime } from '../support/fakeTime.mts';
import { failure, WEBHOOK_BASE, WEBHOOK_ID } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const NOW = Date.UTC(2026, 10, 1);

describe('searchUsers', () => {
	it('searchUsers names users by their readable fields, never by personal numbers', async () => {
		const { results } = await node.search('searchUsers');
		const names = results.map(({ name }) => name);
		expect(names).toContain('Bob Jones · bob.jones@example.com · crm-1001 · Whole Goods');
		expect(names).toContain('crm-1002');
		expect(names).toContain('Joe Burnam · joe.burnam@example.com · Whole Goods');
		// But for the IDs, which are drawn, and can have these digits.
		const shown = results.map((result) => ({ ...result, value: '' }));
		expect(JSON.stringify(shown)).not.toMatch(/522-09|1980/);
		expect(results.map(({ value }) => value).sort()).toEqual([...node.service.users.keys()].sort());
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

	it('searchUsers finds one of thousands at once by the complete external ID or ID', async () => {
		const byExternalId = await node.search('searchUsers', 'crm-12499');
		expect(byExternalId.results[0]?.value).toBe(last);
		expect(byExternalId.results[1]?.name).toContain('Not all users were searched');
		expect(node.service.requests).toHaveLength(2);
		const byOwnId = await node.search('searchUsers', ` ${last.toUpperCase()} `);
		expect(byOwnId.results.map(({ value }) => value)).toEqual([last]);
		expect(node.service.requests).toHaveLength(3);
	});

	it('searchUsers lists an exact match first, and only once', async () => {
		const { results } = await node.search('searchUsers', 'crm-1001');
		const ids = results.map(({ value }) => value);
		expect(results[0]?.name).toContain('Bob Jones');
		expect(ids.length).toBeGreaterThan(1);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('searchUsers finds the last of 2,500 users by name with one call', async () => {
		const { results, paginationToken } = await node.search('searchUsers', 'No2499');
		expect(results.map(({ value }) => value)).toEqual([last]);
		expect(paginationToken).toBeUndefined();
	});

	it('searchUsers finds both users of one name with one call, however far apart they are', async () => {
		const users = [...node.service.users.values()].slice(3);
		for (const place of [10, 450]) Object.assign(users[place] ?? {}, { first_name: 'Maria' });
		const { results } = await node.search('searchUsers', 'maria');
		expect(results.map(({ value }) => value)).toEqual([users[10]?.id, users[450]?.id]);
	});

	it('searchUsers goes on after fifty matches only when n8n asks for more', async () => {
		const first = await node.search('searchUsers', '7');
		expect(first.results.length).toBeGreaterThanOrEqual(50);
		expect(node.service.requests.length).toBeLessThan(5);
		const pages = await node.searchPages('searchUsers', '7');
		const found = new Set(pages.flatMap(({ results }) => results.map(({ value }) => value)));
		const contains7 = ({ id, external_id: externalId, first_name: name }: Record<string, unknown>) =>
			`${String(name)} ${String(externalId)} ${String(id)}`.includes('7');
		expect([...found].sort()).toEqual(
			[...node.service.users.values()]
				.filter(contains7)
				.map(({ id }) => id)
				.sort(),
		);
	});

	it('searchUsers says so when eight seconds were not enough to search all users', async () => {
		const [near] = [...node.service.users.values()].slice(10);
		Object.assign(near ?? {}, { first_name: 'Maria' });
		useFakeTime(() => NOW + node.service.requests.length * 2_000);
		const { results, paginationToken } = await node.search('searchUsers', 'maria');
		expect(results).toEqual([
			expect.objectContaining({ value: near?.id }),
			{ name: expect.stringContaining('Not all users were searched'), value: expect.any(String) },
		]);
		expect(paginationToken).toBeUndefined();
		expect(node.service.requests).toHaveLength(4);
	});

	it('searchUsers gives up after some fifteen seconds of an outage', async () => {
		const waits = useFakeTime();
		node.service.addFault({ kind: 'status', status: 503, times: 1_000 });
		await expect(node.search('searchUsers', 'maria')).rejects.toThrow('is not available');
		expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(16_000);
	});

	it('searchUsers tells within eleven seconds, with an advice and without hyphens, that Argyle is unreachable', async () => {
		const waits = useFakeTime();
		const credential = { ...node.credential, baseUrl: 'https://no-where.invalid' };
		const { message } = await failure(node.search('searchUsers', undefined, undefined, credential));
		expect(message).toMatch(/^Argyle could not be reached .* could not be looked up\. Check that this n8n may connect/);
		// n8n's list drops these.
		expect(message).not.toMatch(/[-–—]/);
		expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(11_000);
	});

	it('searchUsers tells within seventeen seconds that no answer comes', async () => {
		useFakeTime();
		dropPackets();
		const startedAt = Date.now();
		await expect(node.search('searchUsers')).rejects.toThrow('It did not answer in time.');
		expect(Date.now() - startedAt).toBeLessThan(25_000);
	});
});

describe('searchSubscriptions', () => {
	it('searchSubscriptions names subscriptions by name, URL and events, without the secret', async () => {
		const [url, events] = ['https://example.com/0', ['users.fully_synced', 'accounts.added']];
		const made = newSubscription({ name: 'n0', url, events, secret: 'clear' });
		node.service.subscriptions.set(made.id, made);
		const { results } = await node.search('searchSubscriptions');
		expect(results[0]?.name).toBe('n0 · https://example.com/0 · users.fully_synced, accounts.added');
		expect(JSON.stringify(results)).not.toContain('clear');
	});

	it("searchSubscriptions marks the subscriptions of Argyle Triggers, and which of them are this n8n's", async () => {
		const urls: Record<string, string> = {
			published: `${WEBHOOK_BASE}/${WEBHOOK_ID}/webhook`,
			tested: `${WEBHOOK_BASE}-test/${WEBHOOK_ID}/webhook`,
			elsewhere: `https://other.example.com/webhook/${WEBHOOK_ID}/webhook`,
			plain: `${WEBHOOK_BASE}/argyle-deliveries`,
		};
		for (const [name, url] of Object.entries(urls)) {
			const made = newSubscription({ name, url, events: ['*'] });
			node.service.subscriptions.set(made.id, made);
		}
		const { results } = await node.search('searchSubscriptions');
		expect(results.map(({ name }) => name).sort()).toEqual([
			`Argyle Trigger of this n8n · published · ${urls.published} · *`,
			`Argyle Trigger of this n8n · tested · ${urls.tested} · *`,
			`Argyle Trigger · elsewhere · ${urls.elsewhere} · *`,
			`plain · ${urls.plain} · *`,
		]);
		expect((await node.search('searchSubscriptions', 'of this n8n')).results).toHaveLength(2);
	});

	it('searchSubscriptions lists nothing for an empty account, and starts at the first page on an unknown token', async () => {
		expect((await node.search('searchSubscriptions')).results).toEqual([]);
		node.addSubscriptions(1);
		for (const token of ['nonsense', '7', '{"cursor":7}', '/../users?cursor=7'])
			expect((await node.search('searchSubscriptions', '', token)).results).toHaveLength(1);
	});

	it('searchSubscriptions skips records without an ID and accepts records with little else', async () => {
		const made = newSubscription({ events: [] });
		node.service.addFault({
			kind: 'status',
			status: 200,
			body: { next: null, results: [{ name: 'no id' }, { id: made.id, name: '', url: 7, events: null }] },
		});
		expect((await node.search('searchSubscriptions')).results).toEqual([{ name: made.id, value: made.id }]);
	});
});
