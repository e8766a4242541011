import { RecentRemovals } from '../../../nodes/Argyle/trigger/recentRemovals';

const now = 1_700_000_000_000;
const retired = [
	{ secret: 'a'.repeat(64), until: now + 1_000 },
	{ secret: 'b'.repeat(64), until: now },
];

describe('RecentRemovals', () => {
	it('returns the unexpired retired secrets of a removed URL once', () => {
		const removals = new RecentRemovals();
		removals.record('u', { retired, at: now });
		expect(removals.takeRetiredSecrets('other', now)).toEqual([]);
		expect(removals.takeRetiredSecrets('u', now)).toEqual(retired.slice(0, 1));
		expect(removals.takeRetiredSecrets('u', now)).toEqual([]);
	});

	it('reports a URL as just removed for five seconds, or until its secrets are taken', () => {
		const removals = new RecentRemovals();
		expect(removals.wasJustRemoved('u', now)).toBe(false);
		removals.record('u', { retired, at: now });
		expect(removals.wasJustRemoved('u', now + 4_999)).toBe(true);
		expect(removals.wasJustRemoved('u', now + 5_000)).toBe(false);
		removals.takeRetiredSecrets('u', now);
		expect(removals.wasJustRemoved('u', now)).toBe(false);
	});

	it('remembers the removals of 1,000 URLs and forgets the oldest first', () => {
		const removals = new RecentRemovals();
		for (let url = 0; url <= 1_000; url++) removals.record(String(url), { retired, at: now });
		expect([removals.wasJustRemoved('0', now), removals.wasJustRemoved('1', now)]).toEqual([false, true]);
	});
});
