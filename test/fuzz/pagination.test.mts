import fc from 'fast-check';
import type { ArgyleClient } from '../../nodes/Argyle/transport/client';
import type { ArgyleRequest } from '../../nodes/Argyle/transport/request';
import { ArgyleError } from '../../nodes/Argyle/transport/errors';
import { listRecords } from '../../nodes/Argyle/api/pagination';
import { anything } from './arbitraries.mts';

const ORIGIN = 'https://api.argyle.com';
const LIST = { path: '/v2/users', query: { external_id: 'x' }, subject: 'list of users' };

/** A client whose pages come in turn, again and again, and the requests that it got. */
function cyclingClient(pages: unknown[]): { client: ArgyleClient; requests: ArgyleRequest[] } {
	const requests: ArgyleRequest[] = [];
	const client: ArgyleClient = Object.create({
		environment: { origin: ORIGIN, label: 'Production' },
		json: async (request: ArgyleRequest) => {
			requests.push(request);
			if (requests.length > 1_000) throw new Error('the list does not end');
			return pages[(requests.length - 1) % pages.length];
		},
	});
	return { client, requests };
}

/** Resolves with the number of records, or the ArgyleError. Rejects with any other error. */
async function countRecords(client: ArgyleClient, limit: number): Promise<number | ArgyleError> {
	return await listRecords(client, LIST, limit).then(
		(records) => records.length,
		(error: unknown) => {
			if (error instanceof ArgyleError) return error;
			throw error;
		},
	);
}

const query = fc
	.tuple(fc.constantFrom('cursor', 'limit', '__proto__', 'url', 'path', ''), fc.string())
	.map((pair) => new URLSearchParams([pair]).toString());
const links: fc.Arbitrary<unknown> = fc.oneof(
	{
		arbitrary: fc
			.tuple(fc.constantFrom('/v2/users', '/v2/receipts', '//evil.example', '/../x', ''), query)
			.map(([path, text]) => `${ORIGIN}${path}?${text}`),
		weight: 5,
	},
	fc.webUrl({ withQueryParameters: true }),
	fc.constantFrom(
		'http://api.argyle.com/v2/users?cursor=1',
		'https://api.argyle.com:8443/v2/users',
		'https://api.argyle.com@evil.example/v2/users',
		'https://api.argyle.com.evil.example/',
		'//evil.example/v2/users?cursor=1',
		'/v2/users?cursor=1',
		'?cursor=1',
		'file:///etc/passwd',
		'javascript:alert(1)',
		'data:,x',
	),
	anything,
);
const pages: fc.Arbitrary<unknown> = fc.oneof(
	{
		arbitrary: fc.record({
			next: links,
			results: fc.array(fc.oneof(fc.constant({ id: '1' }), fc.jsonValue()), { maxLength: 5 }),
		}),
		weight: 8,
	},
	fc.record({ next: links, results: anything }),
	anything,
);

it('ends every list with records or an ArgyleError, and requests only the path of the list', async () => {
	let errors = 0;
	let lists = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(pages, { minLength: 1, maxLength: 8 }),
			fc.constantFrom(1, 3, 50, Infinity),
			async (somePages, limit) => {
				const { client, requests } = cyclingClient(somePages);
				const result = await countRecords(client, limit);
				if (result instanceof ArgyleError) errors++;
				else {
					lists++;
					expect(result).toBeLessThanOrEqual(limit);
				}
				expect(requests.length).toBeLessThanOrEqual(2 * somePages.length + 1);
				for (const { method, path, body } of requests) {
					const { origin, pathname } = new URL(`${ORIGIN}${path}`);
					expect({ method, origin, pathname, body }).toEqual({ method: 'GET', origin: ORIGIN, pathname: LIST.path });
				}
			},
		),
		{ numRuns: 5_000 },
	);
	expect(Math.min(errors, lists)).toBeGreaterThan(0);
}, 60_000);

it('reads or refuses a page of up to 300,000 records', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1_000, max: 300_000 }), async (size) => {
			const { client } = cyclingClient([
				{ next: null, results: Array.from({ length: size }, (_, id) => ({ id: String(id) })) },
			]);
			const result = await countRecords(client, Infinity);
			expect(result instanceof ArgyleError ? size : result).toBe(size);
		}),
		{ numRuns: 10 },
	);
});
