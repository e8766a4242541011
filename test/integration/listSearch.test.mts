import { randomUUID } from 'node:crypto';
import { NodeApiError } from 'n8n-workflow';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { search } from '../support/n8nCore/nodeFixture.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';

let service: FakeArgyle;
beforeEach(async () => {
	service = await startFakeArgyle();
});
afterEach(async () => await service.stop());

describe('the picker of users', () => {
	it('names each by what is most readable, and never shows a personal number', async () => {
		const { results } = await search(credentialFor(service), 'searchUsers');
		const names = results.map(({ name }) => name);
		expect(names).toContain('Bob Jones · bob.jones@example.com · crm-1001 · Whole Goods');
		expect(names).toContain('crm-1002');
		expect(names).toContain('Joe Burnam · joe.burnam@example.com · Whole Goods');
		expect(JSON.stringify(results)).not.toMatch(/522-09|1980/);
		expect(results.map(({ value }) => value).sort()).toEqual([...service.users.keys()].sort());
	});

	it('names a user of whom nothing is known by the id', async () => {
		const [id = ''] = service.users.keys();
		service.users.set(id, { id });
		expect((await search(credentialFor(service), 'searchUsers')).results).toContainEqual({ name: id, value: id });
	});

	it('finds by any part of the label or the id, in either case', async () => {
		expect((await search(credentialFor(service), 'searchUsers', 'JOE')).results).toHaveLength(1);
		expect((await search(credentialFor(service), 'searchUsers', ' crm-1002 ')).results).toHaveLength(1);
		const [id = ''] = service.users.keys();
		expect((await search(credentialFor(service), 'searchUsers', id.toUpperCase())).results).toMatchObject([
			{ value: id },
		]);
		expect(await search(credentialFor(service), 'searchUsers', 'nobody')).toEqual({
			results: [],
			paginationToken: undefined,
		});
	});
});

describe('a user among thousands', () => {
	let last: string;
	beforeEach(() => {
		const [model] = service.users.values();
		for (let index = 0; index < 2_500; index++) {
			last = randomUUID();
			service.users.set(last, { ...model, id: last, external_id: `crm-${10_000 + index}`, first_name: `No${index}` });
		}
	});

	it('is found at once by the whole external id, or by the id', async () => {
		const byExternalId = await search(credentialFor(service), 'searchUsers', 'crm-12499');
		expect(byExternalId.results.map(({ value }) => value)).toEqual([last]);
		expect(service.requests).toHaveLength(2);
		const own = await search(credentialFor(service), 'searchUsers', ` ${last.toUpperCase()} `);
		expect(own.results.map(({ value }) => value)).toEqual([last]);
		expect(service.requests).toHaveLength(4);
	});

	it('comes first, and once, though it is on the first page as well', async () => {
		const { results } = await search(credentialFor(service), 'searchUsers', 'crm-1001');
		const ids = results.map(({ value }) => value);
		expect(results[0]?.name).toContain('Bob Jones');
		expect(ids.length).toBeGreaterThan(1);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is looked for by name over some pages, and further when n8n asks to go on', async () => {
		const first = await search(credentialFor(service), 'searchUsers', 'No2499');
		expect(first.results).toEqual([]);
		expect(service.requests).toHaveLength(11);
		const second = await search(credentialFor(service), 'searchUsers', 'No2499', String(first.paginationToken));
		expect(second.results.map(({ value }) => value)).toEqual([last]);
	});

	it('that nobody has is not found by its id', async () => {
		const { results } = await search(credentialFor(service), 'searchUsers', randomUUID());
		expect(results).toEqual([]);
	});

	it('is not looked for with a key that is wrong', async () => {
		const credential = credentialFor({ origin: service.origin, key: { id: 'no', secret: 'no' } });
		await expect(search(credential, 'searchUsers', randomUUID())).rejects.toThrow('does not know this API key');
	});
});

describe('the picker of webhook subscriptions', () => {
	const fill = (count: number, name = 'n') => {
		for (let index = 0; index < count; index++) {
			const made = newSubscription({
				name: `${name}${index}`,
				url: `https://example.com/${index}`,
				events: ['users.fully_synced', 'accounts.added'],
				secret: 'clear',
			});
			service.subscriptions.set(made.id, made);
		}
	};

	it('names each by name, address and events, without its secret', async () => {
		fill(1);
		const { results } = await search(credentialFor(service), 'searchWebhooks');
		expect(results[0]?.name).toBe('n0 · https://example.com/0 · users.fully_synced, accounts.added');
		expect(JSON.stringify(results)).not.toContain('clear');
	});

	it('goes on with the next page, and ends', async () => {
		fill(205);
		const first = await search(credentialFor(service), 'searchWebhooks');
		expect(first.results).toHaveLength(200);
		const second = await search(credentialFor(service), 'searchWebhooks', undefined, String(first.paginationToken));
		expect(second.results).toHaveLength(5);
		expect(second.paginationToken).toBeUndefined();
	});

	it('reads on until something matches', async () => {
		fill(250);
		fill(1, 'needle');
		expect((await search(credentialFor(service), 'searchWebhooks', 'needle')).results).toHaveLength(1);
	});

	it('shows nothing for an empty account, and begins anew when n8n hands it a token it does not know', async () => {
		expect((await search(credentialFor(service), 'searchWebhooks')).results).toEqual([]);
		fill(1);
		for (const token of ['nonsense', '7', '{"cursor":7}'])
			expect((await search(credentialFor(service), 'searchWebhooks', '', token)).results).toHaveLength(1);
	});

	it('leaves out what has no id, and lives with a record that has little else', async () => {
		const made = newSubscription({ events: [] });
		service.addFault({
			kind: 'status',
			status: 200,
			body: { next: null, results: [{ name: 'no id' }, { id: made.id, name: '', url: 7, events: null }] },
		});
		expect((await search(credentialFor(service), 'searchWebhooks')).results).toEqual([
			{ name: made.id, value: made.id },
		]);
	});

	it('tells a wrong key in words', async () => {
		const credential = credentialFor({ origin: service.origin, key: { id: 'no', secret: 'no' } });
		await expect(search(credential, 'searchWebhooks')).rejects.toThrow(NodeApiError);
		await expect(search(credential, 'searchWebhooks')).rejects.toThrow('does not know this API key');
	});
});
