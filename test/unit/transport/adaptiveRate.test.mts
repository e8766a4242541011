import fc from 'fast-check';
import { AdaptiveRate } from '../../../nodes/Argyle/transport/adaptiveRate';

/** Starts requests as soon as the rate allows, each late by some milliseconds. Returns the start times. */
function run(adaptiveRate: AdaptiveRate, count: number, lateness: (index: number) => number, from = 0): number[] {
	const starts: number[] = [];
	let now = from;
	for (let index = 0; index < count; index++) {
		now += adaptiveRate.delay(now) + lateness(index);
		adaptiveRate.recordStart(now);
		starts.push(now);
	}
	return starts;
}

const maxPerSecond = (starts: number[]) =>
	Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + 1_000).length));

describe('AdaptiveRate', () => {
	it('never starts more requests in any second than the rate, however late each one is', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 60 }),
				fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 20 }),
				(rate, delays) => {
					const starts = run(new AdaptiveRate(rate), 150, (index) => (delays[index % delays.length] ?? 0) / 10);
					expect(maxPerSecond(starts)).toBeLessThanOrEqual(rate);
				},
			),
		);
	});

	it('reaches the full rate even when every request starts a little late', () => {
		for (const lateness of [0, 1.4]) {
			const last = run(new AdaptiveRate(45), 500, () => lateness).at(-1) ?? 0;
			expect(last).toBeGreaterThan((498 / 45) * 1_000 - 100);
			expect(last).toBeLessThan((500 / 45) * 1_000 + 20);
		}
	});

	it('starts five requests at once and spreads the others evenly', () => {
		const starts = run(new AdaptiveRate(45), 45, () => 0);
		expect(starts.filter((at) => at === 0)).toHaveLength(5);
		expect(starts.slice(5).every((at, index) => at - (starts[index + 4] ?? 0) > 11)).toBe(true);
	});

	it('forgets earlier requests and Retry-After when the clock is set back', () => {
		const adaptiveRate = new AdaptiveRate(2);
		run(adaptiveRate, 5, () => 0, 9_000_000);
		adaptiveRate.onThrottled(0, 9_000_000, 60_000);
		expect(adaptiveRate.delay(1_000)).toBe(0);
		expect(adaptiveRate.rate(1_000)).toBe(2);
		adaptiveRate.onThrottled(1_000, 1_000);
		expect(adaptiveRate.rate(1_000)).toBe(1);
	});

	it('lowers the rate once for all 429s of a second, to a fifth at least', () => {
		const adaptiveRate = new AdaptiveRate(40);
		adaptiveRate.onThrottled(0, 1_000);
		adaptiveRate.onThrottled(1_000, 1_050);
		adaptiveRate.onThrottled(2_000, 2_000);
		expect(adaptiveRate.rate(1_000)).toBe(8);
		adaptiveRate.onThrottled(2_001, 2_001);
		expect(adaptiveRate.rate(2_001)).toBeCloseTo(1.7, 1);
	});

	it('recovers two thirds of what is missing of the full rate in 45 s', () => {
		const adaptiveRate = new AdaptiveRate(40);
		adaptiveRate.onThrottled(0, 1_000);
		const rates = [1_000, 16_000, 46_000, 301_000].map((now) => adaptiveRate.rate(now));
		expect(rates).toEqual([8, 17.1, 28.2, 39.96].map((rate) => expect.closeTo(rate, 1)));
		expect(maxPerSecond(run(adaptiveRate, 200, () => 0, 301_000))).toBeLessThanOrEqual(40);
	});

	it.each([
		['95 % of what the service accepted in the last second', 28, 25.65],
		['a fifth of the rate when it accepted less', 5, 8],
		['95 % of what it accepted when that was all', 40, 37.05],
	])('falls to %s', (_, started, rate) => {
		const adaptiveRate = new AdaptiveRate(40);
		const starts = run(adaptiveRate, started, () => 0);
		adaptiveRate.onThrottled(starts.at(-1) ?? 0, 1_000);
		expect(adaptiveRate.rate(1_000)).toBeCloseTo(rate, 5);
	});

	it('takes for accepted what started in the second before a refused request, and was not refused itself', () => {
		const adaptiveRate = new AdaptiveRate(40);
		adaptiveRate.onThrottled(0, 0);
		// 20 of these lie in the second up to 1,500.
		for (let at = 450; at <= 1_600; at += 50) adaptiveRate.recordStart(at);
		for (const at of [450, 550, 600, 650, 700, 750, 800]) adaptiveRate.onThrottled(at, 1_000);
		adaptiveRate.onThrottled(1_500, 1_700);
		expect(adaptiveRate.rate(1_700)).toBeCloseTo(0.95 * (20 - 7), 5);
	});

	it('keeps to the lowered rate in every second after a 429', () => {
		const adaptiveRate = new AdaptiveRate(40);
		const starts = run(adaptiveRate, 40, () => 0);
		adaptiveRate.onThrottled(starts.at(-1) ?? 0, 1_000);
		expect(maxPerSecond(run(adaptiveRate, 25, () => 0, 1_000))).toBeLessThanOrEqual(38);
	});

	it('never lowers the rate below one request a second', () => {
		const adaptiveRate = new AdaptiveRate(2);
		for (let now = 1; now < 100; now++) adaptiveRate.onThrottled(now, now);
		expect(adaptiveRate.rate(100)).toBe(1);
		expect(adaptiveRate.delay(100)).toBe(0);
	});

	it('holds every request until Retry-After is over, even if a shorter Retry-After follows', () => {
		const adaptiveRate = new AdaptiveRate(45);
		adaptiveRate.onThrottled(0, 100, 3_000);
		adaptiveRate.onThrottled(0, 200, 2_000);
		expect([200, 3_099, 3_100].map((now) => adaptiveRate.delay(now))).toEqual([2_900, 1, 0]);
	});

	it.each([
		['holds every request for a Retry-After of 30 s, the longest that is followed to its end', 30_000, 30_000],
		['answers a Retry-After of up to a second with the lower rate alone', 1_000, 0],
	])('%s', (_, retryAfterMs, delayMs) => {
		const adaptiveRate = new AdaptiveRate(45);
		adaptiveRate.onThrottled(0, 100, retryAfterMs);
		expect([adaptiveRate.delay(100), adaptiveRate.rate(100)]).toEqual([delayMs, 9]);
	});

	it('holds every request for two seconds when Retry-After is an hour', () => {
		const adaptiveRate = new AdaptiveRate(45);
		adaptiveRate.onThrottled(90, 100, 3_600_000);
		adaptiveRate.onThrottled(2_100, 2_100, 3_600_000);
		expect([100, 2_100].map((now) => adaptiveRate.delay(now))).toEqual([4_000, 2_000]);
	});
});
