import fc from 'fast-check';
import { AdaptiveRate } from '../../../nodes/Argyle/transport/adaptiveRate';

/** Starts requests as soon as the pace allows, each a little late; gives when they started. */
function run(pace: AdaptiveRate, count: number, late: (index: number) => number, from = 0): number[] {
	const starts: number[] = [];
	let now = from;
	for (let index = 0; index < count; index++) {
		now += pace.delay(now) + late(index);
		pace.recordStart(now);
		starts.push(now);
	}
	return starts;
}

/** The most starts in any second that begins with one of them. */
const busiest = (starts: number[]) =>
	Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + 1_000).length));

describe('Pace', () => {
	it('never lets more start in any second than the rate, however late each one is', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 60 }),
				fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 20 }),
				(rate, lateness) => {
					const starts = run(new AdaptiveRate(rate), 150, (index) => (lateness[index % lateness.length] ?? 0) / 10);
					expect(busiest(starts)).toBeLessThanOrEqual(rate);
				},
			),
		);
	});

	it('uses the rate to the full, also when each request is a little late', () => {
		for (const late of [0, 1.4]) {
			const last = run(new AdaptiveRate(45), 500, () => late).at(-1) ?? 0;
			expect(last).toBeGreaterThan((498 / 45) * 1_000 - 100);
			expect(last).toBeLessThan((500 / 45) * 1_000 + 20);
		}
	});

	it('spreads them, but for a handful at the start', () => {
		const starts = run(new AdaptiveRate(45), 45, () => 0);
		expect(starts.filter((at) => at === 0)).toHaveLength(5);
		expect(starts.slice(5).every((at, index) => at - (starts[index + 4] ?? 0) > 11)).toBe(true);
	});

	it('starts anew when the clock is set back', () => {
		const pace = new AdaptiveRate(2);
		run(pace, 5, () => 0, 9_000_000);
		pace.onThrottled(0, 9_000_000, 60_000);
		expect(pace.delay(1_000)).toBe(0);
		expect(pace.rate(1_000)).toBe(2);
	});

	it('comes down when the service refuses, once for all that started before, and up again', () => {
		const pace = new AdaptiveRate(40);
		pace.onThrottled(0, 1_000);
		expect(pace.rate(1_000)).toBe(28);
		pace.onThrottled(900, 1_050);
		expect(pace.rate(1_050)).toBe(28);
		pace.onThrottled(1_100, 1_100);
		expect(pace.rate(1_100)).toBe(19);
		expect([6_100, 11_100, 31_100].map((now) => pace.rate(now))).toEqual([29, 39, 40]);
		expect(busiest(run(pace, 200, () => 0, 1_100))).toBeLessThanOrEqual(40);
	});

	it('keeps to the lower rate in every second after a refusal', () => {
		const pace = new AdaptiveRate(40);
		run(pace, 40, () => 0);
		pace.onThrottled(0, 1_000);
		expect(busiest(run(pace, 25, () => 0, 1_000))).toBeLessThanOrEqual(28);
	});

	it('never comes to a stand', () => {
		const pace = new AdaptiveRate(2);
		for (let now = 1; now < 100; now++) pace.onThrottled(now, now);
		expect(pace.rate(100)).toBe(1);
		expect(pace.delay(100)).toBe(0);
	});

	it('lets nothing start before Retry-After is over, and takes no shorter one back', () => {
		const pace = new AdaptiveRate(45);
		pace.onThrottled(0, 100, 3_000);
		pace.onThrottled(0, 200, 1_000);
		expect([200, 3_099, 3_100].map((now) => pace.delay(now))).toEqual([2_900, 1, 0]);
	});
});
