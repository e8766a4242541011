import { Trouble } from '../../../../nodes/Argyle/trigger/watch/trouble';
import { ArgyleError } from '../../../../nodes/Argyle/transport/errors';

const now = 1_700_000_000_000;
const MINUTE = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

/** Of failures that come at these minutes, those that are reported. */
function reportedOf(trouble: Trouble, minutes: number[], isTransient = false): number[] {
	const error = new ArgyleError('refused', 'Enter another key.', { isTransient });
	return minutes.filter((minute) => trouble.onFailure(error, now + minute * MINUTE));
}

it('trouble is reported a quarter of an hour after the clock was set back, as if it had begun then', () => {
	const trouble = new Trouble();
	expect(reportedOf(trouble, [0, 13, 14, 20])).toEqual([14]);
	const back = [0, 13, 14, 16].map((minute) => minute - DAY);
	expect(reportedOf(trouble, back)).toEqual([14 - DAY]);
});

it('failures before and after a computer has slept are no trouble that has lasted', () => {
	const slept = [0, 8 * HOUR, 8 * HOUR + 13, 8 * HOUR + 14];
	expect(reportedOf(new Trouble(30 * MINUTE), slept)).toEqual([8 * HOUR + 14]);
});

it('trouble that may pass by itself is reported after an hour, and again each day', () => {
	const trouble = new Trouble();
	expect(reportedOf(trouble, [0, HOUR - 1, HOUR, DAY, DAY + HOUR], true)).toEqual([HOUR, DAY + HOUR]);
	expect([trouble.onSuccess(), trouble.onSuccess()]).toEqual([true, false]);
	const later = [26 * HOUR, 27 * HOUR - 1, 27 * HOUR];
	expect(reportedOf(trouble, later, true)).toEqual([27 * HOUR]);
});
