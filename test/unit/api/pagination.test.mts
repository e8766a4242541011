import { pagesOf } from '../../../nodes/Argyle/api/pagination';
import type { ArgyleClient } from '../../../nodes/Argyle/transport/client';
import type { ArgyleRequest } from '../../../nodes/Argyle/transport/request';

const ORIGIN = 'https://api.argyle.com';

/** A list of pages, and the queries with which they were asked for. */
function listOf(pages: Array<{ ids: string[]; next: string | null }>): { client: ArgyleClient; queries: unknown[] } {
	const queries: unknown[] = [];
	const client: ArgyleClient = Object.create({
		environment: { origin: ORIGIN, label: 'Production' },
		json: async ({ query }: ArgyleRequest) => {
			const { ids = [], next } = pages[queries.length] ?? {};
			queries.push(query);
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
			{ cursor: '1', limit: '200' },
			{ cursor: '2', limit: '200' },
		]);
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
