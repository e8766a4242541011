import { OutageTracker } from '../../../nodes/Argyle/transport/outageTracker';

const now = 1_700_000_000_000;

describe('OutageTracker', () => {
	it('leaves the whole retry budget while no call has failed', () =>
		expect(new OutageTracker().remaining('a', now, 60_000)).toBe(60_000));

	it('counts the retry budget from the first failure of any call to an origin, and never below 0', () => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now);
		tracker.recordFailure('a', now + 10_000, now + 10_000);
		expect(tracker.remaining('a', now + 15_000, 60_000)).toBe(45_000);
		tracker.recordFailure('a', now + 29_000, now + 29_000);
		tracker.recordFailure('a', now + 48_000, now + 48_000);
		tracker.recordFailure('a', now + 61_000, now + 61_000);
		expect(tracker.remaining('a', now + 61_000, 60_000)).toBe(0);
		expect(tracker.remaining('other', now + 61_000, 60_000)).toBe(60_000);
	});

	it('dates an outage from when the failed call was made, not from when it failed', () => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now + 10_000);
		expect(tracker.remaining('a', now + 10_000, 60_000)).toBe(50_000);
	});

	it('ends an outage with a success', () => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now);
		tracker.recordSuccess('a');
		expect(tracker.remaining('a', now + 5_000, 60_000)).toBe(60_000);
	});

	it('forgets an outage after 20 s without a failure', () => {
		const tracker = new OutageTracker();
		tracker.recordFailure('a', now, now);
		expect(tracker.remaining('a', now + 19_999, 60_000)).toBe(40_001);
		expect(tracker.remaining('a', now + 20_000, 60_000)).toBe(60_000);
		tracker.recordFailure('a', now + 20_000, now + 20_000);
		expect(tracker.remaining('a', now + 21_000, 60_000)).toBe(59_000);
	});
});
