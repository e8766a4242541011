import { OutageTracker } from '../../../nodes/Argyle/transport/outageTracker';

const now = 1_700_000_000_000;

describe('Outages', () => {
	it('leaves all the patience while nothing failed', () =>
		expect(new OutageTracker().remaining('a', now, 60_000)).toBe(60_000));

	it('counts from the first failure, whoever it hit, and never below nothing', () => {
		const outages = new OutageTracker();
		outages.recordFailure('a', now, now);
		outages.recordFailure('a', now + 10_000, now + 10_000);
		expect(outages.remaining('a', now + 15_000, 60_000)).toBe(45_000);
		outages.recordFailure('a', now + 29_000, now + 29_000);
		outages.recordFailure('a', now + 48_000, now + 48_000);
		outages.recordFailure('a', now + 61_000, now + 61_000);
		expect(outages.remaining('a', now + 61_000, 60_000)).toBe(0);
		expect(outages.remaining('other', now + 61_000, 60_000)).toBe(60_000);
	});

	it('begins when the service was asked, not when it was found out that no answer comes', () => {
		const outages = new OutageTracker();
		outages.recordFailure('a', now, now + 10_000);
		expect(outages.remaining('a', now + 10_000, 60_000)).toBe(50_000);
	});

	it('ends with an answer', () => {
		const outages = new OutageTracker();
		outages.recordFailure('a', now, now);
		outages.recordSuccess('a');
		expect(outages.remaining('a', now + 5_000, 60_000)).toBe(60_000);
	});

	it('is forgotten when nothing is heard of it for 20 s', () => {
		const outages = new OutageTracker();
		outages.recordFailure('a', now, now);
		expect(outages.remaining('a', now + 19_999, 60_000)).toBe(40_001);
		expect(outages.remaining('a', now + 20_000, 60_000)).toBe(60_000);
		outages.recordFailure('a', now + 20_000, now + 20_000);
		expect(outages.remaining('a', now + 21_000, 60_000)).toBe(59_000);
	});
});
