import { Handovers } from '../../../nodes/Argyle/trigger/recentRemovals';

const now = 1_700_000_000_000;
const retired = [
	{ secret: 'a'.repeat(64), until: now + 1_000 },
	{ secret: 'b'.repeat(64), until: now },
];

describe('Handovers', () => {
	it('hand the secrets that still verify to the successor at the same address, once', () => {
		const handovers = new Handovers();
		handovers.leave('u', { retired, at: now });
		expect(handovers.take('other', now)).toEqual([]);
		expect(handovers.take('u', now)).toEqual(retired.slice(0, 1));
		expect(handovers.take('u', now)).toEqual([]);
	});

	it('know for five seconds that there is nothing at an address, until somebody registers there', () => {
		const handovers = new Handovers();
		expect(handovers.isCleared('u', now)).toBe(false);
		handovers.leave('u', { retired, at: now });
		expect(handovers.isCleared('u', now + 4_999)).toBe(true);
		expect(handovers.isCleared('u', now + 5_000)).toBe(false);
		handovers.take('u', now);
		expect(handovers.isCleared('u', now)).toBe(false);
	});

	it('stay small', () => {
		const handovers = new Handovers();
		for (let url = 0; url <= 1_000; url++) handovers.leave(String(url), { retired, at: now });
		expect([handovers.isCleared('0', now), handovers.isCleared('1', now)]).toEqual([false, true]);
	});
});
