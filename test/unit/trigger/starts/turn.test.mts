import { type Origin, PROCESS_ID } from '../../../../nodes/Argyle/trigger/state/itemOrigin';
import { delayToTurn } from '../../../../nodes/Argyle/trigger/starts/turn';

const now = 1_700_000_000_000;
const MINUTE = 60_000;

const elsewhere = (at: number, more: object = {}): Origin => ({ process: 'other', at, ...more });

/** Which of the five turns of ten seconds an execution comes to that begins at `begin`, and how far into it. */
function turnOf(origin: Origin, begin: number): { turn: number; intoMs: number } {
	const time = begin + delayToTurn(origin, begin);
	return { turn: Math.floor(time / 10_000) % 5, intoMs: time % 10_000 };
}

/** Many moments of some rounds. */
const moments = Array.from({ length: 500 }, (_, index) => now + 10 * MINUTE + index * 733);

it.each<[string, Origin | undefined, number]>([
	['whose item says nothing of where it comes from', undefined, now],
	['in the process that received the form, however late', elsewhere(now, { process: PROCESS_ID }), now + 10 * MINUTE],
	['in the process that looked for the form', elsewhere(now, { process: PROCESS_ID, usedKeys: 1 }), now],
	['of a delivery that begins within ten seconds', elsewhere(now), now + 9_999],
])("an execution %s asks n8n's store at once", (_, origin, begin) => {
	for (let ms = 0; ms < 50_000; ms += 1_000)
		expect(delayToTurn(origin && { ...origin, at: origin.at + ms }, begin + ms)).toBe(0);
});

it.each<[string, Origin]>([
	['a delivery that begins later', elsewhere(now)],
	['a form that was looked for', elsewhere(now, { usedKeys: 0 })],
	['a form that n8n has dropped', elsewhere(now, { usedKeys: 3 })],
])('elsewhere %s waits less than a round for the first seconds of its turn', (_, origin) => {
	const turns = moments.map((begin) => turnOf(origin, begin));
	expect(new Set(turns.map(({ turn }) => turn)).size).toBe(1);
	expect(Math.max(...turns.map(({ intoMs }) => intoMs))).toBeLessThan(2_000);
	const delays = moments.map((begin) => delayToTurn(origin, begin));
	expect([Math.min(...delays), Math.max(...delays) < 50_000]).toEqual([0, true]);
});

it('a delivery that begins late asks neither while its repetition may begin promptly nor shortly before that', () => {
	// At one moment, a turn may happen to open only when no repetition comes.
	for (const at of moments) {
		const asked = Array.from({ length: 300 }, (_, second) => {
			const begin = at + 10_000 + second * 1_000;
			return begin + delayToTurn(elsewhere(at), begin) - at;
		});
		expect(asked.filter((ms) => ms > 22_000 && ms < 62_000)).toEqual([]);
		expect(Math.max(...asked.slice(0, 50))).toBeLessThan(2 * MINUTE);
	}
});

it('a form that was looked for waits for its turn even if its execution begins at once', () => {
	const [begin = 0] = moments.filter((moment) => delayToTurn(elsewhere(moment, { usedKeys: 0 }), moment) > 0);
	expect(begin).toBeGreaterThan(0);
});

it('a delivery, its repetition 30 to 50 s later, and what is looked for have turns of their own', () => {
	const [begin = 0] = moments;
	for (let at = now; at < now + 3 * MINUTE; at += 500) {
		for (let gap = 30_000; gap <= 50_000; gap += 500) {
			const origins = [elsewhere(at), elsewhere(at + gap)];
			const looked = [0, 1].map((usedKeys) => elsewhere(at, { usedKeys }));
			expect(new Set([...origins, ...looked].map((origin) => turnOf(origin, begin).turn)).size).toBe(4);
		}
	}
});
