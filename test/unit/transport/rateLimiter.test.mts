import { AdaptiveRate } from '../../../nodes/Argyle/transport/adaptiveRate';
import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { RateLimiter, rateLimiterFor } from '../../../nodes/Argyle/transport/rateLimiter';
import { clock } from '../../../nodes/Argyle/utils/clock';
import { useFakeTime } from '../../support/fakeTime.mts';

const NOW = 1_700_000_000_000;
const PATIENT = { maxWaitMs: 60_000, signal: undefined };

let waits: number[];
/** When each request started, in milliseconds from now. */
let starts: number[];
beforeEach(() => {
	waits = useFakeTime(() => NOW);
	starts = [];
	const { recordStart } = AdaptiveRate.prototype;
	jest.spyOn(AdaptiveRate.prototype, 'recordStart').mockImplementation(function (this: AdaptiveRate, now) {
		starts.push(now - NOW);
		recordStart.call(this, now);
	});
});
afterEach(() => jest.restoreAllMocks());

async function send(limiter: RateLimiter, count: number, waiting: Parameters<RateLimiter['run']>[0] = PATIENT) {
	await Promise.all(Array.from({ length: count }, async () => await limiter.run(waiting, async () => undefined)));
}

async function throttle(limiter: RateLimiter, retryAfterMs: number): Promise<void> {
	const error = new ArgyleError('too many', 'Wait.', { statusCode: 429, retryAfterMs });
	const refused = limiter.run(PATIENT, async () => {
		throw error;
	});
	await expect(refused).rejects.toBe(error);
}

describe('RateLimiter', () => {
	it('starts requests in the order of asking, at most the rate in any second', async () => {
		await send(new RateLimiter(2), 5);
		expect(starts).toEqual([0, 400, 1_000, 1_400, 2_000]);
		expect(waits).toEqual([400, 600, 400, 600]);
	});

	it('lets requests with maxWaitMs 0 skip the queue, and counts them', async () => {
		const limiter = new RateLimiter(1);
		const queued = send(limiter, 2);
		await send(limiter, 2, { maxWaitMs: 0, signal: undefined });
		expect(starts.slice(0, 2)).toEqual([0, 0]);
		await queued;
		expect(starts).toEqual([0, 0, 1_900, 2_900]);
	});

	it('starts a request when its maxWaitMs is over', async () => {
		const limiter = new RateLimiter(45);
		await throttle(limiter, 90_000);
		await send(limiter, 1, { maxWaitMs: 7_000, signal: undefined });
		expect(starts).toEqual([0, 7_000]);
	});

	it('holds the queue for Retry-After after a 429', async () => {
		const limiter = new RateLimiter(45);
		await throttle(limiter, 3_000);
		await send(limiter, 2);
		expect(starts).toEqual([0, 3_000, 3_000]);
	});

	it('goes on as before after any other error', async () => {
		const limiter = new RateLimiter(45);
		const error = new ArgyleError('away', 'Wait.', { statusCode: 503, retryAfterMs: 3_000 });
		const failed = limiter.run(PATIENT, async () => {
			throw error;
		});
		await expect(failed).rejects.toBe(error);
		await send(limiter, 2);
		expect(starts).toEqual([0, 0, 0]);
	});

	it('stops waiting when the signal aborts', async () => {
		const controller = new AbortController();
		const limiter = new RateLimiter(1);
		await send(limiter, 1);
		jest.spyOn(clock, 'pause').mockImplementation(async () => controller.abort());
		await send(limiter, 3, { maxWaitMs: 60_000, signal: controller.signal });
		expect(starts).toEqual([0, 0, 0, 0]);
	});
});

it('rateLimiterFor shares one rate limiter for each account and rate in the whole process', () => {
	expect(rateLimiterFor('account', 45)).toBe(rateLimiterFor('account', 45));
	expect(rateLimiterFor('account', 45)).not.toBe(rateLimiterFor('account', 10));
	expect(rateLimiterFor('account', 45)).not.toBe(rateLimiterFor('other', 45));
});
