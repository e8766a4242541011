import { RecentRemovals } from '../../../nodes/Argyle/trigger/recentRemovals';

const now = 1_700_000_000_000;
const retired = [
	{ secret: 'a'.repeat(64), until: now + 1_000 },
	{ secret: 'b'.repeat(64), until: now },
];

describe('Handovers', () => {
	it('hand the secrets that still verify to the successor at the same address, once', () => {
		const handovers = new RecentRemovals();
		handovers.record('u', { retired, at: now });
		expect(handovers.takeRetiredSecrets('other', now)).toEqual([]);
		expect(handovers.takeRetiredSecrets('u', now)).toEqual(retired.slice(0, 1));
		expect(handovers.takeRetiredSecrets('u', now)).toEqual([]);
	});

	it('know for five seconds that there is nothing at an address, until somebody registers there', () => {
		const handovers = new RecentRemovals();
		expect(handovers.wasJustRemoved('u', now)).toBe(false);
		handovers.record('u', { retired, at: now });
		expect(handovers.wasJustRemoved('u', now + 4_999)).toBe(true);
		expect(handovers.wasJustRemoved('u', now + 5_000)).toBe(false);
		handovers.takeRetiredSecrets('u', now);
		expect(handovers.wasJustRemoved('u', now)).toBe(false);
	});

	it('stay small', () => {
		const handovers = new RecentRemovals();
		for (let url = 0; url <= 1_000; url++) handovers.record(String(url), { retired, at: now });
		expect([handovers.wasJustRemoved('0', now), handovers.wasJustRemoved('1', now)]).toEqual([false, true]);
	});
});
