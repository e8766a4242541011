import { backoffDelay, parseRetryAfter } from '../../../nodes/Argyle/transport/backoff';

const now = Date.parse('2026-11-21T10:00:00Z');

describe('parseRetryAfter', () => {
	it.each<[string, number]>([
		['0', 0],
		['1', 1_000],
		[' 120 ', 120_000],
		['1.5', 1_500],
		['1.001', 1_001],
		['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
		['Sat, 21 Nov 2026 09:00:00 GMT', 0],
	])('reads Retry-After %p as %d ms', (header, ms) => expect(parseRetryAfter(header, now)).toBe(ms));

	it.each([
		'',
		'soon',
		'-1',
		'1e3',
		'Sat, 99 Nov',
		'Sat, 99 Nov 2026 10:00:30 GMT',
		'2026-11-21',
		'99999999999',
		undefined,
		null,
		5,
		['1'],
	])('ignores the unreadable Retry-After %p', (header) => expect(parseRetryAfter(header, now)).toBeUndefined());
});

describe('backoffDelay', () => {
	it('waits for Retry-After plus up to half a second of jitter', () => {
		expect(backoffDelay(0, 1_000, 0)).toBe(1_000);
		expect(backoffDelay(9, 1_000, 1)).toBe(1_500);
	});

	it('backs off as without a Retry-After where that asks for no wait, or names a time in the past', () => {
		expect(backoffDelay(4, 0, 0.5)).toBe(4_000);
	});

	it('backs off exponentially up to 8 s with full jitter when there is no Retry-After', () => {
		expect([0, 1, 2, 3, 4, 5, 50].map((retries) => backoffDelay(retries, undefined, 1))).toEqual([
			500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
		]);
		expect(backoffDelay(2, undefined, 0.25)).toBe(500);
		expect(backoffDelay(2, undefined, 0)).toBe(0);
	});
});
