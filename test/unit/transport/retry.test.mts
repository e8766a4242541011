import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { remainingRetryBudget, retry } from '../../../nodes/Argyle/transport/retry';
import { useFakeTime } from '../../support/fakeTime.mts';

let waits: number[];
let origin = '';
let number = 0;
beforeEach(() => {
	// A clock that stands still but for the waiting, so that every figure is exact.
	waits = useFakeTime(() => 1_700_000_000_000);
	// Outages are known by the origin, in the whole process.
	origin = `https://service-${number++}.example`;
});
afterEach(() => jest.restoreAllMocks());

const away = (facts = {}) => new ArgyleError('away', 'Wait.', { isTransient: true, ...facts });

/** Something that fails a number of times and then gives "done"; counts its tries. */
function failing(times: number, error: unknown = away()) {
	const counted = {
		tries: 0,
		attempt: async () => {
			if (counted.tries++ < times) throw error;
			return 'done';
		},
	};
	return counted;
}

const patience = (maxElapsedMs = 60_000, signal?: AbortSignal) => ({ origin, maxElapsedMs, signal });
const waited = () => waits.reduce((sum, wait) => sum + wait, 0);

describe('persist', () => {
	it('gives the first success without waiting', async () => {
		expect(await retry(patience(), failing(0).attempt)).toBe('done');
		expect(waits).toEqual([]);
	});

	it('repeats what fails in passing', async () => {
		const work = failing(3);
		expect(await retry(patience(), work.attempt)).toBe('done');
		expect([work.tries, waits.length]).toEqual([4, 3]);
		expect(waits.every((wait, index) => wait <= 500 * 2 ** index)).toBe(true);
	});

	it('throws everything else at once, as it is', async () => {
		for (const error of [new ArgyleError('wrong', 'Correct it.'), new Error('a mistake')])
			await expect(retry(patience(), failing(9, error).attempt)).rejects.toBe(error);
		expect(waits).toEqual([]);
	});

	it('waits as the service says', async () => {
		await retry(patience(), failing(2, away({ retryAfterMs: 7_000 })).attempt);
		expect(waits.every((wait) => wait >= 7_000 && wait <= 7_500)).toBe(true);
	});

	it('does not wait when the service asks for longer than the patience lasts', async () => {
		const error = away({ retryAfterMs: 61_000 });
		await expect(retry(patience(), failing(9, error).attempt)).rejects.toBe(error);
		expect(waits).toEqual([]);
	});

	it('tries once more at the very end, then throws the last error with how often and how long it tried', async () => {
		const work = failing(Infinity);
		await expect(retry(patience(), work.attempt)).rejects.toMatchObject({
			message: 'away',
			description: expect.stringMatching(/^Wait\. Tried \d+ times in 60 s\.$/),
		});
		expect(work.tries).toBe(waits.length + 1);
		expect(waited()).toBe(60_000);
	});

	it('asks before each repeat whether it may', async () => {
		const work = failing(9);
		await expect(retry(patience(), work.attempt, () => work.tries < 3)).rejects.toThrow('away');
		expect(work.tries).toBe(3);
	});

	it('waits for one outage once: what fails after it gets one try each, until the service answers', async () => {
		await expect(retry(patience(), failing(Infinity).attempt)).rejects.toThrow('away');
		expect(remainingRetryBudget(patience())).toBe(0);
		const next = failing(Infinity);
		await expect(retry(patience(), next.attempt)).rejects.toThrow('away');
		expect(next.tries).toBe(1);
		await retry(patience(), failing(0).attempt);
		expect(remainingRetryBudget(patience())).toBe(60_000);
	});

	it('takes too many requests for no outage, but gives up on them too', async () => {
		const busy = away({ statusCode: 429, retryAfterMs: 1_000 });
		await expect(retry(patience(), failing(Infinity, busy).attempt)).rejects.toThrow('away');
		expect(waited()).toBeGreaterThan(55_000);
		expect(remainingRetryBudget(patience())).toBe(60_000);
	});

	it('ends when the execution is stopped, before or while it waits', async () => {
		const stopped = new AbortController();
		const work = {
			tries: 0,
			async attempt() {
				if (++this.tries === 2) stopped.abort();
				throw away();
			},
		};
		await expect(retry(patience(60_000, stopped.signal), async () => await work.attempt())).rejects.toThrow('away');
		expect(work.tries).toBe(2);
		await expect(retry(patience(60_000, stopped.signal), async () => await work.attempt())).rejects.toThrow('away');
		expect(work.tries).toBe(3);
	});
});
