import { listRecords, pagesOf } from '../../../nodes/Argyle/api/pagination';
import type { ArgyleClient } from '../../../nodes/Argyle/transport/client';
import type { ArgyleRequest } from '../../../nodes/Argyle/transport/request';

const ORIGIN = 'https://api.argyle.com';

/** Answers one request after the other. */
function clientOf(...answers: unknown[]): { client: ArgyleClient; queries: unknown[] } {
	const queries: unknown[] = [];
	const client: ArgyleClient = Object.create({
		environment: { origin: ORIGIN, label: 'Production' },
		json: async ({ path, query }: ArgyleRequest) => {
			const answer = answers[queries.length];
			queries.push(query ?? path);
			return answer;
		},
	});
	return { client, queries };
}

const LIST = { path: '/v2/user-forms', query: { user: 'u' }, subject: 'list of forms' };
const page = (ids: string[], next: string | null = null) => ({ results: ids.map((id) => ({ id })), next });
const link = (cursor: string) => `${ORIGIN}/v2/user-forms?cursor=${cursor}&limit=200`;

describe('pagesOf', () => {
	it('requests a page only when it is asked for, and none after the last', async () => {
		const { client, queries } = clientOf(page(['a', 'b'], link('1')), page([], link('2')), page(['c']));
		const pages = pagesOf(client, LIST);
		expect(queries).toHaveLength(0);
		expect((await pages.next()).value).toEqual([{ id: 'a' }, { id: 'b' }]);
		expect(queries).toEqual([{ user: 'u', limit: 200 }]);
		expect((await pages.next()).value).toEqual([]);
		expect((await pages.next()).value).toEqual([{ id: 'c' }]);
		expect((await pages.next()).done).toBe(true);
		expect(queries).toEqual([
			{ user: 'u', limit: 200 },
			'/v2/user-forms?cursor=1&limit=200',
			'/v2/user-forms?cursor=2&limit=200',
		]);
	});

	it('rejects after 10,000 pages, which no list of people has', async () => {
		const endless = clientOf(...Array.from({ length: 10_002 }, (_, index) => page([], link(String(index)))));
		const all = listRecords(endless.client, LIST, Infinity);
		await expect(all).rejects.toMatchObject({ description: expect.stringContaining('It has no end.') });
		expect(endless.queries).toHaveLength(10_001);
	});

	it('rejects when a page comes again, after the pages before it', async () => {
		const { client } = clientOf(page(['a'], link('1')), page(['b'], link('2')), page(['a'], link('1')));
		const pages = pagesOf(client, LIST);
		await pages.next();
		await pages.next();
		await expect(pages.next()).rejects.toMatchObject({ description: expect.stringContaining('in a circle') });
	});
});

describe('listRecords', () => {
	const records = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

	it.each([
		['a bare array', records],
		['results without a link', { results: records }],
		['results with an empty link, beside what is no record', { next: '', results: [null, ...records, 7] }],
		['results with null for a link', { next: null, previous: null, results: records }],
	])('reads a list that comes as %s, with one request', async (_shape, body) => {
		const { client, queries } = clientOf(body, body);
		expect(await listRecords(client, LIST, Infinity)).toEqual(records);
		expect(await listRecords(client, LIST, 2)).toEqual([{ id: 'a' }, { id: 'b' }]);
		expect(queries).toHaveLength(2);
	});

	it.each([{}, { results: {} }, 'no list', 7, null])('refuses %p as a list', async (body) => {
		await expect(listRecords(clientOf(body).client, LIST, 1)).rejects.toThrow("Argyle sent a list that can't be read");
	});

	it('brings a record once that comes on two pages, or twice on one, and goes on for the one that is lacking', async () => {
		const { client, queries } = clientOf(page(['a', 'b'], link('1')), page(['b', 'c', 'c'], link('2')), page(['d']));
		expect(await listRecords(client, LIST, 4)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]);
		expect(queries).toHaveLength(3);
	});

	it('brings all records that have no ID, though they are equal', async () => {
		const equal = [{ name: 'a' }, { name: 'a' }, { id: null }, { id: null }, { id: '' }, { id: '' }];
		expect(await listRecords(clientOf({ results: equal }).client, LIST, Infinity)).toEqual(equal);
	});

	it('goes on until enough records are accepted, in large pages', async () => {
		const { client, queries } = clientOf(page(['a', 'b'], link('1')), page(['c', 'b2'], link('2')), page(['b3']));
		const list = { ...LIST, accepts: ({ id }: { id?: unknown }) => String(id).startsWith('b') };
		expect(await listRecords(client, list, 2)).toEqual([{ id: 'b' }, { id: 'b2' }]);
		expect(queries).toEqual([{ user: 'u', limit: 200 }, '/v2/user-forms?cursor=1&limit=200']);
	});
});
