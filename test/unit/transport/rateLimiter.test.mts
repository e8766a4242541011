import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AdaptiveRate } from '../../../nodes/Argyle/transport/adaptiveRate';
import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { RateLimiter, rateLimiterFor } from '../../../nodes/Argyle/transport/rateLimiter';
import { clock } from '../../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../../support/fakeTime.mts';

const NOW = 1_700_000_000_000;
const PATIENT = { maxWaitMs: 60_000, signal: undefined };

/** When each request started, in milliseconds from now. */
let starts: number[];
beforeEach(() => {
	useFakeTime(() => NOW);
	// Whoever got a turn sends before more time passes.
	jest.spyOn(clock, 'pause').mockImplementation(async (ms, signal) => {
		await nextTurn();
		if (signal?.aborted !== true) advance(ms);
	});
	starts = [];
	const { recordStart } = AdaptiveRate.prototype;
	jest.spyOn(AdaptiveRate.prototype, 'recordStart').mockImplementation(function (this: AdaptiveRate, now) {
		starts.push(now - NOW);
		recordStart.call(this, now);
	});
});
afterEach(() => jest.restoreAllMocks());

type Waiting = Parameters<RateLimiter['turn']>[0];

async function run<T>(limiter: RateLimiter, waiting: Waiting, send: () => Promise<T>): Promise<T> {
	const startedAt = await limiter.turn(waiting);
	const sent = send();
	limiter.watch(startedAt, sent);
	return await sent;
}

/** When each of these requests was sent, in milliseconds from now, or the words 'refused at' and when. */
async function outcomes(limiter: RateLimiter, requests: Waiting[]): Promise<Array<number | string>> {
	const outcome = async (waiting: Waiting) =>
		await run(limiter, waiting, async () => Date.now() - NOW).catch(() => `refused at ${Date.now() - NOW}`);
	return await Promise.all(requests.map(outcome));
}

const patient = (count: number, maxWaitMs = 60_000) =>
	Array.from({ length: count }, () => ({ maxWaitMs, signal: undefined }));

async function throttle(limiter: RateLimiter, retryAfterMs: number): Promise<void> {
	const error = new ArgyleError('too many', 'Wait.', { statusCode: 429, retryAfterMs });
	const refused = run(limiter, PATIENT, async () => {
		throw error;
	});
	await expect(refused).rejects.toBe(error);
}

describe('RateLimiter', () => {
	it('starts requests in the order of asking, at most the rate in any second', async () => {
		expect(await outcomes(new RateLimiter(2), patient(5))).toEqual([0, 400, 1_000, 1_400, 2_000]);
	});

	it('lets requests with maxWaitMs 0 skip the queue, and counts them', async () => {
		const limiter = new RateLimiter(1);
		const queued = outcomes(limiter, patient(2));
		expect(await outcomes(limiter, patient(2, 0))).toEqual([0, 0]);
		expect(await queued).toEqual([0, 2_900]);
		expect(starts).toEqual([0, 0, 0, 2_900]);
	});

	it('starts those that have seconds before those that have a minute', async () => {
		const limiter = new RateLimiter(1);
		const receipts = outcomes(limiter, patient(3));
		const form = outcomes(limiter, patient(1, 4_000));
		expect(await form).toEqual([1_000]);
		expect(await receipts).toEqual([0, 2_000, 3_000]);
	});

	it('a request with 4 s starts within a second beside 600 that wait', async () => {
		const limiter = new RateLimiter(45);
		const receipts = outcomes(limiter, patient(600));
		const [form] = await outcomes(limiter, patient(1, 4_000));
		expect(form).toBeLessThan(1_000);
		expect((await receipts).every((at) => typeof at === 'number')).toBe(true);
	});

	it('refuses a request at once whose turn would come too late, and never makes later ones wait for it', async () => {
		const limiter = new RateLimiter(45);
		await throttle(limiter, 20_000);
		const [form, receipt] = await Promise.all([
			outcomes(limiter, patient(1, 7_000)),
			outcomes(limiter, patient(1, 60_000)),
		]);
		expect([form, receipt]).toEqual([['refused at 0'], [20_000]]);
		await throttle(limiter, 20_000);
		await expect(run(limiter, { maxWaitMs: 7_000, signal: undefined }, async () => 'sent')).rejects.toMatchObject({
			message: 'Argyle received too many requests at once',
			description: expect.stringContaining('was not sent'),
			details: { statusCode: 429, isTransient: true, isGivenUp: true },
		});
	});

	it('refuses at once who can wait less than the hold that others wait for, and sends at the last moment', async () => {
		const limiter = new RateLimiter(45);
		await throttle(limiter, 20_000);
		const receipt = outcomes(limiter, patient(1));
		expect(await outcomes(limiter, patient(1, 19_999))).toEqual(['refused at 0']);
		expect(await outcomes(limiter, patient(1, 20_000))).toEqual([20_000]);
		expect(await receipt).toEqual([expect.closeTo(20_011, 0)]);
	});

	it('tells those who wait already when a hold is longer than what they have left', async () => {
		const limiter = new RateLimiter(1);
		const waiting = outcomes(limiter, patient(3, 25_000));
		const error = new ArgyleError('too many', 'Wait.', { statusCode: 429, retryAfterMs: 28_000 });
		const refused = run(limiter, { maxWaitMs: 0, signal: undefined }, async () => await Promise.reject(error));
		await expect(refused).rejects.toBe(error);
		expect(await waiting).toEqual([0, 'refused at 0', 'refused at 0']);
	});

	it('goes on as before after any other error', async () => {
		const limiter = new RateLimiter(45);
		const error = new ArgyleError('away', 'Wait.', { statusCode: 503, retryAfterMs: 3_000 });
		const failed = run(limiter, PATIENT, async () => {
			throw error;
		});
		await expect(failed).rejects.toBe(error);
		expect(await outcomes(limiter, patient(2))).toEqual([0, 0]);
	});

	it('lets a request leave the queue as soon as its signal aborts, without counting it', async () => {
		const controller = new AbortController();
		const limiter = new RateLimiter(1);
		const times = outcomes(limiter, [PATIENT, { ...PATIENT, signal: controller.signal }, PATIENT]);
		controller.abort();
		expect(await times).toEqual([0, 0, 1_000]);
		expect(starts).toEqual([0, 1_000]);
	});

	it('lets a request pass at once whose signal has aborted before it asks, without counting it', async () => {
		const limiter = new RateLimiter(45);
		await throttle(limiter, 20_000);
		starts.length = 0;
		expect(await outcomes(limiter, [{ ...PATIENT, signal: AbortSignal.abort() }])).toEqual([0]);
		expect(starts).toEqual([]);
	});

	it('leaves no listener at the signal of a sent request: it would take another one from the queue', async () => {
		const { signal } = new AbortController();
		expect(await outcomes(new RateLimiter(1), [{ ...PATIENT, signal }])).toEqual([0]);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

it('rateLimiterFor shares one rate limiter for each account and rate in the whole process', () => {
	expect(rateLimiterFor('account', 45)).toBe(rateLimiterFor('account', 45));
	expect(rateLimiterFor('account', 45)).not.toBe(rateLimiterFor('account', 10));
	expect(rateLimiterFor('account', 45)).not.toBe(rateLimiterFor('other', 45));
});
