import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { outages } from '../../../nodes/Argyle/transport/outageTracker';
import { RateLimiter } from '../../../nodes/Argyle/transport/rateLimiter';
import { retry } from '../../../nodes/Argyle/transport/retry';
import { clock } from '../../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../../support/fakeTime.mts';

let waits: number[];
let service = '';
let number = 0;
beforeEach(() => {
	// Time passes only while retry waits, so that every figure is exact.
	waits = useFakeTime(() => 1_700_000_000_000);
	// Outages are tracked by service in the whole process: each test needs one of its own.
	service = `https://service-${number++}.example`;
});
afterEach(() => jest.restoreAllMocks());

const away = (details = {}) => new ArgyleError('away', 'Wait.', { isTransient: true, ...details });

/** Work that fails a number of times and then succeeds; counts its tries. */
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

const policy = (maxElapsedMs = 60_000, signal?: AbortSignal) => ({
	service,
	maxElapsedMs,
	maxUnreachableMs: Math.min(10_000, maxElapsedMs),
	signal,
});
const waited = () => waits.reduce((sum, wait) => sum + wait, 0);

describe('retry', () => {
	it('resolves with the first success without waiting', async () => {
		expect(await retry(policy(), failing(0).attempt)).toBe('done');
		expect(waits).toEqual([]);
	});

	it('retries a transient error with exponential back-off', async () => {
		const work = failing(3);
		expect(await retry(policy(), work.attempt)).toBe('done');
		expect([work.tries, waits.length]).toEqual([4, 3]);
		expect(waits.every((wait, index) => wait <= 500 * 2 ** index)).toBe(true);
	});

	it('gives up after as many tries as the error is worth', async () => {
		const work = failing(9, away({ maxTries: 3 }));
		await expect(retry(policy(), work.attempt)).rejects.toMatchObject({
			description: expect.stringMatching(/^Wait\. Tried 3 times in \d s\.$/),
			details: { isGivenUp: true },
		});
		expect(work.tries).toBe(3);
	});

	it('rethrows every other error at once', async () => {
		for (const error of [new ArgyleError('wrong', 'Correct it.'), new Error('a mistake')])
			await expect(retry(policy(), failing(9, error).attempt)).rejects.toBe(error);
		expect(waits).toEqual([]);
	});

	it('gives up at once when Retry-After exceeds the retry budget', async () => {
		const error = away({ retryAfterMs: 61_000 });
		await expect(retry(policy(), failing(9, error).attempt)).rejects.toMatchObject({
			message: 'away',
			details: { isGivenUp: true },
		});
		expect(waits).toEqual([]);
	});

	it('leaves it to the rate limiter when to try again after a 429 that asks for an hour', async () => {
		await retry(policy(), failing(1, away({ statusCode: 429, retryAfterMs: 3_600_000 })).attempt);
		expect(waits.every((wait) => wait <= 500)).toBe(true);
	});

	it('counts the wait for its turn as part of the time of a 429', async () => {
		let tries = 0;
		const refused = retry(policy(), async () => {
			if (tries++ === 0) advance(50_000);
			throw away({ statusCode: 429 });
		});
		await expect(refused).rejects.toThrow('away');
		expect(waited()).toBe(10_000);
	});

	it('waits as long as a 429 asks for, up to half a minute', async () => {
		for (const retryAfterMs of [20_000, 30_000])
			await retry(policy(), failing(1, away({ statusCode: 429, retryAfterMs })).attempt);
		expect(waits.map((wait) => Math.floor(wait / 10_000))).toEqual([2, 3]);
	});

	it('tries once more when the budget is spent, then throws the last error with the number of tries', async () => {
		const work = failing(Infinity);
		await expect(retry(policy(), work.attempt)).rejects.toMatchObject({
			message: 'away',
			description: expect.stringMatching(/^Wait\. Tried \d+ times in 60 s\.$/),
		});
		expect(work.tries).toBe(waits.length + 1);
		expect(waited()).toBe(60_000);
	});

	it('retries work that is not idempotent until its outcome is unknown', async () => {
		let tries = 0;
		const work = async () => {
			throw away({ outcomeUnknown: ++tries === 3 });
		};
		await expect(retry(policy(), work, false)).rejects.toMatchObject({
			message: 'away',
			description: expect.stringMatching(/^Wait\. Tried 3 times in \d{1,2} s\.$/),
		});
		expect(tries).toBe(3);
	});

	it('tells each attempt whether an earlier one may have been carried out', async () => {
		const received: boolean[] = [];
		const work = async ({ outcomeUnknown }: { outcomeUnknown: boolean }) => {
			received.push(outcomeUnknown);
			if (received.length < 4) throw away({ outcomeUnknown: received.length === 2 });
		};
		await retry(policy(), work);
		expect(received).toEqual([false, false, true, true]);
	});

	it('waits for an outage once: later calls get a single try until the service answers', async () => {
		const observed = (work: ReturnType<typeof failing>) => async () =>
			await outages.observe(service, Date.now(), work.attempt());
		await expect(retry(policy(), observed(failing(Infinity)))).rejects.toThrow('away');
		expect(outages.remaining(service, Date.now(), 60_000)).toBe(0);
		const next = failing(Infinity);
		await expect(retry(policy(), observed(next))).rejects.toThrow('away');
		expect(next.tries).toBe(1);
		await retry(policy(), observed(failing(0)));
		expect(outages.remaining(service, Date.now(), 60_000)).toBe(60_000);
	});

	it('gives up sooner where no connection can be made, and not where somebody answers', async () => {
		const observed = (error: unknown) => async () => await outages.observe(service, Date.now(), Promise.reject(error));
		await expect(retry(policy(), observed(away({ isUnreachable: true })))).rejects.toThrow('away');
		expect(waited()).toBe(10_000);
		await expect(retry(policy(), observed(away()))).rejects.toThrow('away');
		expect(waited()).toBe(60_000);
	});

	it('counts the retry budget from the first failure, so that what took long is tried again', async () => {
		let tries = 0;
		const result = await retry(policy(), async () => {
			advance(120_000);
			if (tries++ === 0) throw away();
			return 'done';
		});
		expect([result, tries]).toEqual(['done', 2]);
	});

	it('lets the first try wait as long as the policy says, and later ones for what is left, at least a second', async () => {
		const received: number[] = [];
		const work = async ({ maxWaitMs }: { maxWaitMs: number }) => {
			received.push(maxWaitMs);
			throw away({ retryAfterMs: 9_000 });
		};
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await expect(retry(policy(18_000), work)).rejects.toThrow('away');
		expect(received).toEqual([18_000, 9_000, 1_000]);
	});

	it('names why the try before failed if the turn of another try comes too late', async () => {
		const limiter = new RateLimiter(1);
		let tries = 0;
		const work = async ({ maxWaitMs }: { maxWaitMs: number }) => {
			if (tries++ < 2) throw away();
			for (let others = 0; others < 100; others++) await limiter.turn({ maxWaitMs: 0, signal: undefined });
			await limiter.turn({ maxWaitMs, signal: undefined });
		};
		await expect(retry(policy(), work)).rejects.toMatchObject({
			message: 'away',
			description: expect.stringMatching(/^Wait\. Tried 2 times in \d s\.$/),
			details: { isGivenUp: true },
		});
	});

	it('says that the outcome is not known if an earlier try may have been carried out', async () => {
		const errors = [away({ outcomeUnknown: true }), away({ retryAfterMs: 61_000 })];
		const work = async () => {
			throw errors.shift();
		};
		await expect(retry(policy(1_000), work)).rejects.toMatchObject({ details: { outcomeUnknown: true } });
	});

	it('does not retry what calls inside of it have given up', async () => {
		const inner = failing(Infinity, away({ statusCode: 429, retryAfterMs: 1_000 }));
		let outerTries = 0;
		const nested = retry(policy(), async () => {
			outerTries++;
			return await retry(policy(), inner.attempt);
		});
		await expect(nested).rejects.toThrow('away');
		expect(outerTries).toBe(1);
		expect(waited()).toBeLessThan(61_000);
	});

	it('does not try again when the signal has aborted during a wait, and says how long it was tried', async () => {
		const stopped = new AbortController();
		const work = failing(Infinity);
		jest.spyOn(clock, 'pause').mockImplementation(async () => {
			advance(3_000);
			if (work.tries === 2) stopped.abort();
		});
		await expect(retry(policy(60_000, stopped.signal), work.attempt)).rejects.toMatchObject({
			description: 'Wait. Tried 2 times in 6 s.',
		});
		expect(work.tries).toBe(2);
	});

	it('stops retrying when the signal aborts before a wait', async () => {
		const stopped = new AbortController();
		const work = {
			tries: 0,
			async attempt() {
				if (++this.tries === 2) stopped.abort();
				throw away();
			},
		};
		await expect(retry(policy(60_000, stopped.signal), async () => await work.attempt())).rejects.toThrow('away');
		expect(work.tries).toBe(2);
		await expect(retry(policy(60_000, stopped.signal), async () => await work.attempt())).rejects.toThrow('away');
		expect(work.tries).toBe(3);
	});
});
