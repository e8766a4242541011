import { pagesOf } from '../../../nodes/Argyle/api/pagination';
import type { ArgyleClient } from '../../../nodes/Argyle/transport/client';
import type { ArgyleRequest } from '../../../nodes/Argyle/transport/request';

const ORIGIN = 'https://api.argyle.com';

/** A list of pages, and the paths and queries with which they were asked for. */
function listOf(pages: Array<{ ids: string[]; next: string | null }>): { client: ArgyleClient; queries: unknown[] } {
	const queries: unknown[] = [];
	const client: ArgyleClient = Object.create({
		environment: { origin: ORIGIN, label: 'Production' },
		json: async ({ path, query }: ArgyleRequest) => {
			const { ids = [], next } = pages[queries.length] ?? {};
			queries.push(query ?? path);
			return { results: ids.map((id) => ({ id })), next };
		},
	});
	return { client, queries };
}

const LIST = { path: '/v2/user-forms', query: { user: 'u' }, subject: 'list of forms' };
const link = (cursor: string) => `${ORIGIN}/v2/user-forms?cursor=${cursor}&limit=200`;

describe('pagesOf', () => {
	it('requests a page only when it is asked for, and none after the last', async () => {
		const { client, queries } = listOf([
			{ ids: ['a', 'b'], next: link('1') },
			{ ids: [], next: link('2') },
			{ ids: ['c'], next: null },
		]);
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

	it.each(['ab+cd==', 'ab%2Bcd%3D%3D', 'a%20b'])('passes the cursor %s on as the link has it', async (cursor) => {
		const { client, queries } = listOf([
			{ ids: ['a'], next: link(cursor) },
			{ ids: ['b'], next: null },
		]);
		const pages = pagesOf(client, LIST);
		await pages.next();
		await pages.next();
		expect(queries[1]).toBe(`/v2/user-forms?cursor=${cursor}&limit=200`);
	});

	it('rejects when a page comes again, after the pages before it', async () => {
		const { client } = listOf([
			{ ids: ['a'], next: link('1') },
			{ ids: ['b'], next: link('2') },
			{ ids: ['a'], next: link('1') },
		]);
		const pages = pagesOf(client, LIST);
		await pages.next();
		await pages.next();
		await expect(pages.next()).rejects.toMatchObject({ description: expect.stringContaining('in a circle') });
	});
});
