import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { OutageTracker } from '../../../nodes/Argyle/transport/outageTracker';
import { advance, useFakeTime } from '../../support/fakeTime.mts';

const now = 1_700_000_000_000;

describe('OutageTracker', () => {
	it('leaves the whole retry budget while no call has failed', () =>
		expect(new OutageTracker().remaining('a', now, 60_000)).toBe(60_000));

	it('counts the retry budget from the first failure of any call to an origin, and never below 0', () => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now);
		tracker.recordFailure('a', now + 10_000, now + 10_000);
		expect(tracker.remaining('a', now + 15_000, 60_000)).toBe(45_000);
		for (const ms of [24_000, 38_000, 52_000, 61_000]) tracker.recordFailure('a', now + ms, now + ms);
		expect(tracker.remaining('a', now + 61_000, 60_000)).toBe(0);
		expect(tracker.remaining('other', now + 61_000, 60_000)).toBe(60_000);
	});

	it.each([
		['from when the failed request was sent, not from when it failed', 10_000, 50_000],
		['at most 30 s back, however long the failed request took', 120_000, 30_000],
	])('dates an outage %s', (_, tookMs, leftMs) => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now + tookMs);
		expect(tracker.remaining('a', now + tookMs, 60_000)).toBe(leftMs);
	});

	it('ends an outage with a success, before which no later outage is dated', () => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now);
		tracker.recordSuccess('a', now + 4_000);
		expect(tracker.remaining('a', now + 5_000, 60_000)).toBe(60_000);
		tracker.recordFailure('a', now, now + 10_000);
		expect(tracker.remaining('a', now + 10_000, 60_000)).toBe(54_000);
	});

	it('forgets an outage after 15 s without a failure', () => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now);
		expect(tracker.remaining('a', now + 14_999, 60_000)).toBe(45_001);
		expect(tracker.remaining('a', now + 15_000, 60_000)).toBe(60_000);
		tracker.recordFailure('a', now + 15_000, now + 15_000);
		expect(tracker.remaining('a', now + 16_000, 60_000)).toBe(59_000);
	});

	describe('observing a request', () => {
		beforeEach(() => useFakeTime(() => now));
		afterEach(() => jest.restoreAllMocks());

		const away = new ArgyleError('away', 'Wait.', { isTransient: true, statusCode: 503 });

		async function observe(tracker: OutageTracker, error: ArgyleError) {
			const observed = tracker.observe('a', Date.now(), Promise.reject(error));
			advance(1_000);
			await expect(observed).rejects.toBe(error);
			return tracker.remaining('a', Date.now(), 60_000);
		}

		it('counts a service that is away from when the request was sent, and any answer as its end', async () => {
			const tracker = new OutageTracker();
			expect(await observe(tracker, away)).toBe(59_000);
			expect(await tracker.observe('a', Date.now(), Promise.resolve('answer'))).toBe('answer');
			expect(tracker.remaining('a', Date.now(), 60_000)).toBe(60_000);
		});

		it.each([429, 404, 401])('counts HTTP status %i as an answer', async (statusCode) => {
			const tracker = new OutageTracker();
			await observe(tracker, away);
			const refused = new ArgyleError('refused', 'Wait.', { statusCode, isTransient: statusCode === 429 });
			expect(await observe(tracker, refused)).toBe(60_000);
		});

		it('learns nothing from a request that was stopped', async () => {
			const tracker = new OutageTracker();
			await observe(tracker, away);
			expect(await observe(tracker, new ArgyleError('stopped', 'By a person.'))).toBe(58_000);
		});
	});
});
