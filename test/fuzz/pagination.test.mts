import fc from 'fast-check';
import type { ArgyleClient } from '../../nodes/Argyle/transport/client';
import type { ArgyleRequest } from '../../nodes/Argyle/transport/request';
import { ArgyleError } from '../../nodes/Argyle/transport/errors';
import { listRecords } from '../../nodes/Argyle/api/pagination';
import { anything } from './arbitraries.mts';

const ORIGIN = 'https://api.argyle.com';
const LIST = { path: '/v2/users', query: { external_id: 'x' }, subject: 'list of users' };

/** A service that gives these answers in turn, and from the start again; it keeps what it was asked. */
function cycling(answers: unknown[]): { client: ArgyleClient; asked: ArgyleRequest[] } {
	const asked: ArgyleRequest[] = [];
	const never = () => {
		throw new Error('a list is read as JSON');
	};
	const json = async (request: ArgyleRequest) => {
		asked.push(request);
		if (asked.length > 1_000) throw new Error('it does not end');
		return answers[(asked.length - 1) % answers.length];
	};
	return {
		client: {
			environment: { origin: ORIGIN, label: 'Production' },
			send: never,
			json,
			stream: never,
			detailOf: never,
			retry: never,
			isRetryBudgetSpent: never,
		},
		asked,
	};
}

/** Reads a list; gives how many records came, or the ArgyleError. Rejects with any other error. */
async function outcome(client: ArgyleClient, limit: number): Promise<number | ArgyleError> {
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

describe('a list', () => {
	it('always ends, with records or an ArgyleError, and asks its own path only', async () => {
		let errors = 0;
		let lists = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(pages, { minLength: 1, maxLength: 8 }),
				fc.constantFrom(1, 3, 50, Infinity),
				async (answers, limit) => {
					const { client, asked } = cycling(answers);
					const result = await outcome(client, limit);
					if (result instanceof ArgyleError) errors++;
					else {
						lists++;
						expect(result).toBeLessThanOrEqual(limit);
					}
					expect(asked.length).toBeLessThanOrEqual(2 * answers.length + 1);
					for (const { method, path, body } of asked)
						expect({ method, path, body }).toEqual({ method: 'GET', path: LIST.path });
				},
			),
			{ numRuns: 10_000 },
		);
		// Both ends are really reached.
		expect(Math.min(errors, lists)).toBeGreaterThan(500);
	}, 60_000);

	it('asks no more after a link to another host', async () => {
		await fc.assert(
			fc.asyncProperty(fc.webUrl({ withQueryParameters: true }), async (next) => {
				fc.pre(new URL(next).origin !== ORIGIN);
				const { client, asked } = cycling([{ next, results: [{ id: '1' }] }]);
				expect(await outcome(client, Infinity)).toBeInstanceOf(ArgyleError);
				expect(asked).toHaveLength(1);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('is read or refused when one page holds far more than was asked for', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1_000, max: 300_000 }), async (size) => {
				const { client } = cycling([{ next: null, results: Array(size).fill({ id: '1' }) }]);
				expect([size, ArgyleError]).toContainEqual(
					await outcome(client, Infinity).then((end) => (end instanceof ArgyleError ? ArgyleError : end)),
				);
			}),
			{ numRuns: 10 },
		);
	});
});
