import { Trouble } from '../../../../nodes/Argyle/trigger/watch/trouble';
import { ArgyleError } from '../../../../nodes/Argyle/transport/errors';

const now = 1_700_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it('trouble is reported a quarter of an hour after the clock was set back, as if it had begun then', () => {
	const trouble = new Trouble();
	const reportsAt = (time: number) => trouble.onFailure(new ArgyleError('refused', 'Enter another key.'), time);
	expect([now, now + 13 * MINUTE, now + 14 * MINUTE, now + 20 * MINUTE].map(reportsAt)).toEqual([
		false,
		false,
		true,
		false,
	]);
	const back = now - 24 * HOUR;
	expect([back, back + 13 * MINUTE, back + 14 * MINUTE, back + 16 * MINUTE].map(reportsAt)).toEqual([
		false,
		false,
		true,
		false,
	]);
});

it('failures before and after a computer has slept are no trouble that has lasted', () => {
	const trouble = new Trouble(HOUR / 2);
	const reportsAt = (ms: number) => trouble.onFailure(new ArgyleError('refused', 'Enter another key.'), now + ms);
	expect([0, 8 * HOUR, 8 * HOUR + 13 * MINUTE].map(reportsAt)).toEqual([false, false, false]);
	expect(reportsAt(8 * HOUR + 14 * MINUTE)).toBe(true);
});

it('trouble that may pass by itself is reported after an hour, and again each day', () => {
	const trouble = new Trouble();
	const away = new ArgyleError('away', 'Wait.', { isTransient: true });
	const reportsAt = (ms: number) => trouble.onFailure(away, now + ms);
	expect([0, HOUR - 1, HOUR, 24 * HOUR, 25 * HOUR].map(reportsAt)).toEqual([false, false, true, false, true]);
	expect([trouble.onSuccess(), trouble.onSuccess()]).toEqual([true, false]);
	expect([26 * HOUR, 26.9 * HOUR, 27 * HOUR].map(reportsAt)).toEqual([false, false, true]);
});
