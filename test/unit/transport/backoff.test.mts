import { parseRetryAfter, backoffDelay } from '../../../nodes/Argyle/transport/backoff';

const now = Date.parse('2026-11-21T10:00:00Z');

describe('readRetryAfter', () => {
	it.each<[string, number]>([
		['0', 0],
		['1', 1_000],
		[' 120 ', 120_000],
		['1.5', 1_500],
		['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
		['Sat, 21 Nov 2026 09:00:00 GMT', 0],
	])('reads %p', (header, ms) => expect(parseRetryAfter(header, now)).toBe(ms));

	it.each(['', 'soon', '-1', '1e3', 'Sat, 99 Nov', '2026-11-21', '99999999999', undefined, null, 5, ['1']])(
		'takes %p for nothing',
		(header) => expect(parseRetryAfter(header, now)).toBeUndefined(),
	);
});

describe('waitBeforeRepeat', () => {
	it('waits as the service says, and a little longer, so that not all come back at once', () => {
		expect(backoffDelay(0, 1_000, 0)).toBe(1_000);
		expect(backoffDelay(9, 1_000, 1)).toBe(1_500);
		expect(backoffDelay(0, 0, 0.5)).toBe(250);
	});

	it('else doubles the longest wait, up to 8 s, and picks one at random below it', () => {
		expect([0, 1, 2, 3, 4, 5, 50].map((repeats) => backoffDelay(repeats, undefined, 1))).toEqual([
			500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
		]);
		expect(backoffDelay(2, undefined, 0.25)).toBe(500);
		expect(backoffDelay(2, undefined, 0)).toBe(0);
	});
});
