import { byAge, type ListedRecord } from '../../../../nodes/Argyle/trigger/state/listedRecord';
import { Starts } from '../../../../nodes/Argyle/trigger/state/starts';

const now = 1_700_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 86_400_000;

const formAt = (happenedAt: number, key = `f${happenedAt}`): ListedRecord => ({ key, happenedAt, record: {} });

const keys = (forms: ListedRecord[]) => forms.map(({ key }) => key);

/** Forms that are submitted once a second, the oldest first. */
const everySecond = (count: number) => Array.from({ length: count }, (_, index) => formAt(now + index * 1_000));

function startsSince(bookmark: number): Starts {
	const starts = new Starts();
	starts.resume({ bookmark });
	return starts;
}

/** Moves the bookmark, and returns where it is. */
function placeOf(starts: Starts): number | undefined {
	starts.advance();
	return starts.progress.bookmark;
}

/** Lists forms when the service's clock shows a day later, which is newer than all of them. */
function list(starts: Starts, forms: ListedRecord[], at = now): void {
	starts.list(forms, now + DAY, at);
}

/** What has started the workflow. */
function startAll(starts: Starts, done: string[]): void {
	for (const key of done) {
		starts.run(key, now);
		starts.finish(key, now);
	}
}

describe('what a person wrote', () => {
	const form = (key: string): ListedRecord => ({
		key,
		happenedAt: now + 1,
		record: { income_source: `Bakery ${key}` },
	});

	it('is kept until the form has started the workflow, and not longer', () => {
		const starts = startsSince(now);
		starts.skip('delivered');
		list(starts, ['delivered', 'started', 'missing'].map(form));
		expect(starts.missing().map(({ record }) => record.income_source)).toEqual(['Bakery missing', 'Bakery started']);
		startAll(starts, ['started']);
		list(starts, ['delivered', 'started', 'missing'].map(form));
		expect(JSON.stringify(starts)).not.toMatch(/Bakery (delivered|started)/);
		expect(starts.missing()).toEqual([form('missing')]);
		expect(starts.get('started')?.state === 'done').toBe(true);
	});
});

const CHANGES = ['queue', 'ask', 'run', 'finish', 'lose', 'loseDropped'] as const;
type Change = (typeof CHANGES)[number];
type State = 'idle' | 'waiting' | 'asked' | 'running' | 'done';

const WAYS: Record<State, Change[]> = {
	idle: [],
	waiting: ['queue'],
	asked: ['queue', 'ask'],
	running: ['queue', 'ask', 'run'],
	done: ['queue', 'ask', 'run', 'finish'],
};

function startThatIs(state: State): Starts {
	const starts = startsSince(now);
	list(starts, [formAt(now + 1, 'f')]);
	for (const change of WAYS[state]) starts[change]('f', now);
	return starts;
}

/** In which state a start is, by all that others can see of it. Takes it out of `asked`. */
function stateOf(starts: Starts, key: string): string {
	const isMissing = () => keys(starts.missing()).includes(key);
	if (isMissing()) return 'idle';
	if (starts.get(key)?.state === 'waiting') return 'waiting';
	if (starts.get(key)?.state === 'done') return 'done';
	if (!starts.hasExecution(key)) return 'unknown';
	starts.loseSilent(now + 10 * MINUTE);
	return isMissing() ? 'asked' : 'running';
}

describe('a start', () => {
	/** What each change makes of a start that is in this state, in the order of `CHANGES`. */
	const AFTER: Record<State, Array<State | 'refused'>> = {
		idle: ['waiting', 'asked', 'running', 'done', 'idle', 'idle'],
		waiting: ['refused', 'asked', 'running', 'done', 'idle', 'waiting'],
		asked: ['refused', 'asked', 'running', 'done', 'idle', 'idle'],
		running: ['refused', 'running', 'running', 'done', 'idle', 'running'],
		done: ['refused', 'done', 'done', 'done', 'done', 'done'],
	};
	const STATES: State[] = ['idle', 'waiting', 'asked', 'running', 'done'];
	const cases = STATES.flatMap((from) => CHANGES.map((change, index) => [from, change, AFTER[from][index]] as const));

	it.each(cases)('that is %s, after %s, is %s', (from, change, to) => {
		const starts = startThatIs(from);
		const make = () => starts[change]('f', now);
		if (to === 'refused') return expect(make).toThrow(`A start that is ${from} can't become waiting`);
		make();
		expect(stateOf(starts, 'f')).toBe(to);
	});

	it('that was delivered before the list shows it keeps its state', () => {
		const starts = startsSince(now);
		for (const change of ['ask', 'run'] as const) starts[change](change, now);
		startAll(starts, ['done']);
		list(starts, [formAt(now + 1, 'ask'), formAt(now + 2, 'begin'), formAt(now + 3, 'done'), formAt(now + 4, 'new')]);
		expect(['ask', 'run', 'done', 'new'].map((key) => stateOf(starts, key))).toEqual([
			'asked',
			'running',
			'done',
			'idle',
		]);
	});

	it('that is lost before the list shows it is unknown, and what nobody knows can be lost', () => {
		const starts = startsSince(now);
		starts.ask('f', now);
		for (const key of ['f', 'other']) starts.lose(key, now);
		expect(starts.hasExecution('f')).toBe(false);
	});

	it('of which n8n says nothing is asked for again after five minutes, or when the clock was set back', () => {
		const starts = startsSince(now);
		list(starts, [formAt(now + 1, 'asked'), formAt(now + 2, 'running'), formAt(now + 3, 'waiting')]);
		starts.ask('asked', now);
		starts.run('running', now);
		starts.queue('waiting', now);
		starts.loseSilent(now + 5 * MINUTE - 1);
		expect(starts.missing()).toEqual([]);
		starts.loseSilent(now + 5 * MINUTE);
		expect(keys(starts.missing())).toEqual(['asked']);
		starts.ask('asked', now);
		starts.loseSilent(now - 1);
		expect(keys(starts.missing())).toEqual(['asked']);
		// Once, because its execution may still wait under the same key.
		expect(starts.get('asked')?.usedKeys).toBe(1);
	});

	it('counts how often n8n has dropped its execution, and nothing else', () => {
		const starts = startsSince(now);
		list(starts, [formAt(now + 1, 'f')]);
		for (let count = 0; count < 2; count++) {
			starts.ask('f', now);
			starts.loseDropped('f', now);
			starts.loseDropped('f', now);
		}
		starts.ask('f', now);
		starts.lose('f', now);
		expect([starts.get('f')?.usedKeys, starts.get('other')?.usedKeys]).toEqual([2, undefined]);
	});

	it.each<[boolean, string, number, number, number, boolean]>([
		[true, 'made a minute ago less a moment, and seen just now', MINUTE - 1, 0, 0, false],
		[false, 'made a minute ago', MINUTE, 0, 0, false],
		[true, 'made in the future, and seen a minute ago less a moment', -DAY, 0, MINUTE - 1, false],
		[false, 'made in the future, and seen a minute ago', -DAY, 0, MINUTE, false],
		[true, 'asked for as a report an hour ago, and seen a minute ago less a moment', HOUR, 0, MINUTE - 1, true],
		[false, 'asked for as a report an hour ago, and seen a minute ago', HOUR, 0, MINUTE, true],
		[false, 'seen before the clock was set back', 0, 0, -1, false],
		[false, 'delivered a minute ago', 0, MINUTE, 0, false],
	])('is on its way (%p) when it was %s', (expected, _, ageMs, deliveredMs, passedMs, isUndated) => {
		const starts = startsSince(now - DAY);
		const form = { ...formAt(now - ageMs, 'f'), isUndated };
		if (deliveredMs > 0) starts.ask('f', now - deliveredMs);
		starts.list([form], now, now);
		expect(starts.isOnItsWay(form, now, now + passedMs)).toBe(expected);
		expect(starts.isOnItsWay(formAt(now, 'unknown'), now, now)).toBe(false);
	});
});

describe('forms that are missing', () => {
	it('are those after the bookmark that have no execution, the oldest first', () => {
		const starts = startsSince(now);
		starts.ask('asked', now);
		starts.run('running', now);
		const others = ['asked', 'running'].map((key) => formAt(now + 7, key));
		list(starts, [formAt(now + 9), ...others, formAt(now + 5), formAt(now), formAt(now - 5)]);
		expect(keys(starts.missing())).toEqual([`f${now + 5}`, `f${now + 9}`]);
	});

	it('are at most a week older than the newest', () => {
		const starts = startsSince(0);
		list(starts, [formAt(now), formAt(now - 7 * DAY), formAt(now - 7 * DAY + 1)]);
		expect(keys(starts.missing())).toEqual([`f${now - 7 * DAY + 1}`, `f${now}`]);
	});

	it('become too old when a week has passed before they started, and hold up no bookmark', () => {
		const starts = startsSince(now - MINUTE);
		list(starts, [formAt(now, 'old')]);
		starts.list([formAt(now + 7 * DAY, 'new')], now + 8 * DAY, now);
		expect(keys(starts.missing())).toEqual(['new']);
		startAll(starts, ['new']);
		expect(placeOf(starts)).toBe(now);
	});

	it('are not too old because one is dated in the future', () => {
		const starts = startsSince(0);
		starts.list([formAt(now + 365 * DAY, 'future'), formAt(now - 6 * DAY, 'past')], now, now);
		expect(keys(starts.missing())).toEqual(['past', 'future']);
	});

	it('are there once though one reading has brought them twice, and none any more once they are done', () => {
		const starts = startsSince(now);
		const form = formAt(now + 1, 'twice');
		for (let reading = 0; reading < 2; reading++) list(starts, [form, { ...form }]);
		expect(keys(starts.missing())).toEqual(['twice']);
		startAll(starts, ['twice']);
		expect(starts.missing()).toEqual([]);
		list(starts, [formAt(now + 30 * MINUTE, 'newest')]);
		expect(placeOf(starts)).toBe(now + 1);
	});

	it('are found in a list of 200,000', () => {
		const starts = startsSince(now);
		list(
			starts,
			Array.from({ length: 200_000 }, (_, index) => formAt(now + 1, String(index))),
		);
		expect(starts.missing()).toHaveLength(200_000);
	});
});

describe('the bookmark', () => {
	it('stays where it began as long as no form was listed', () => {
		expect(placeOf(startsSince(now))).toBe(now);
	});

	it('moves behind the forms that are done, up to the first that is not', () => {
		const starts = startsSince(now - MINUTE);
		const forms = everySecond(4);
		list(starts, [...forms, formAt(now + DAY, 'newest')]);
		for (const key of keys(forms)) starts.run(key, now);
		expect(placeOf(starts)).toBe(now - MINUTE);
		for (const index of [0, 1, 3]) starts.finish(String(forms[index]?.key), now);
		expect(placeOf(starts)).toBe(now + 1_000);
	});

	it('stays ten minutes behind the newest form, before which a late one may still appear', () => {
		const starts = startsSince(now - MINUTE);
		const forms = [formAt(now, 'early'), formAt(now + MINUTE, 'middle'), formAt(now + 11 * MINUTE, 'newest')];
		list(starts, forms);
		startAll(starts, keys(forms));
		expect(placeOf(starts)).toBe(now + MINUTE);
		expect(['early', 'middle', 'newest'].map((key) => starts.hasExecution(key))).toEqual([false, false, true]);
		list(starts, [formAt(now + 2 * MINUTE, 'late'), formAt(now + MINUTE, 'aaa'), formAt(now, 'too late')]);
		list(starts, [formAt(now + 30 * MINUTE, 'newer')]);
		expect(keys(starts.missing())).toEqual(['late', 'newer']);
		expect(placeOf(starts)).toBe(now + MINUTE);
		expect(keys(starts.missing())).toEqual(['late', 'newer']);
	});

	it('stays 500 forms behind where more come in ten minutes, but forms are not forgotten so soon', () => {
		const starts = startsSince(now - MINUTE);
		const forms = Array.from({ length: 600 }, (_, index) => formAt(now + index));
		list(starts, forms);
		startAll(starts, keys(forms).slice(0, 500));
		expect(placeOf(starts)).toBe(now - MINUTE);
		startAll(starts, keys(forms).slice(500, 550));
		expect(placeOf(starts)).toBe(now + 49);
		list(starts, [...forms, formAt(now - 1, 'late')]);
		expect(keys(starts.missing())).toEqual(['late', ...keys(forms).slice(550)]);
	});

	it('parts no forms of one millisecond, of which one has not started the workflow', () => {
		const starts = startsSince(now - MINUTE);
		const forms = [formAt(now, 'a'), formAt(now + 1, 'b'), formAt(now + 1, 'c'), formAt(now + HOUR, 'newest')];
		list(starts, forms);
		startAll(starts, ['a', 'b']);
		expect(placeOf(starts)).toBe(now);
		expect(keys(starts.missing())).toEqual(['c', 'newest']);
	});

	it('does not move to a form that is dated in the future, nor because of it', () => {
		const starts = startsSince(now - DAY);
		const future = Array.from({ length: 600 }, (_, index) => formAt(now + DAY + index));
		const forms = [formAt(now - 5 * MINUTE, 'recent'), ...future];
		starts.list(forms, now, now);
		startAll(starts, keys(forms));
		expect(placeOf(starts)).toBe(now - DAY);
		starts.list([formAt(now - 6 * MINUTE, 'late')], now, now);
		expect(keys(starts.missing())).toEqual(['late']);
	});

	it('stays before a record that is open, whatever is done after it, and no event of it is forgotten', () => {
		const starts = startsSince(now);
		const forms = [
			formAt(now + MINUTE, 'before'),
			formAt(now + 2 * MINUTE, 'same'),
			formAt(now + 30 * MINUTE, 'after'),
		];
		starts.hold(now + 2 * MINUTE);
		list(starts, forms);
		startAll(starts, keys(forms));
		expect(placeOf(starts)).toBe(now + MINUTE);
		list(starts, [...forms, formAt(now + 2 * MINUTE, 'open')]);
		expect(keys(starts.missing())).toEqual(['open']);
		starts.hold(Infinity);
		startAll(starts, ['open']);
		expect(placeOf(starts)).toBe(now + 2 * MINUTE);
	});

	it('stays before a record that is open, though many are done after it, and 1,000 of them follow it at most', () => {
		const starts = startsSince(now - MINUTE);
		const forms = everySecond(1_100);
		starts.hold(now + 10_000);
		list(starts, forms);
		startAll(starts, keys(forms.slice(0, 1_000)));
		expect(placeOf(starts)).toBe(now + 9_000);
		expect(starts.progress.started).toEqual(keys(forms.slice(10, 1_000)));
		startAll(starts, keys(forms.slice(1_000)));
		expect(placeOf(starts)).toBe(now + 99_000);
		expect(starts.progress.started).toEqual(keys(forms.slice(100)));
	});
});

describe('what static data keeps beside the bookmark', () => {
	const startedOf = (starts: Starts) => {
		starts.advance();
		return starts.progress.started;
	};

	it('are the keys of what has started the workflow after it', () => {
		const starts = startsSince(now - MINUTE);
		const forms = everySecond(4);
		list(starts, forms);
		startAll(starts, keys([forms[0], forms[2]]));
		expect(startedOf(starts)).toEqual(keys([forms[0], forms[2]]));
		startAll(starts, keys(forms));
		expect(startedOf(starts)).toEqual(keys(forms));
	});

	it('are also those that the list has not shown since, and at most 2,000 keys', () => {
		const starts = startsSince(now - MINUTE);
		startAll(starts, ['unlisted']);
		starts.skip('from before');
		const forms = Array.from({ length: 3_000 }, (_, index) => formAt(now + index));
		list(starts, forms);
		startAll(starts, keys(forms.slice(0, 600)));
		expect(startedOf(starts)).toEqual(keys(forms.slice(100, 600)));
		starts.run('scanned', now + 100);
		starts.finish('scanned', now + 100);
		expect(startedOf(starts)).toEqual(['scanned', ...keys(forms.slice(100, 600))]);
		startAll(starts, keys(forms.slice(700)));
		expect(startedOf(starts)).toEqual(keys(forms.slice(1_000)));
	});

	it('counts after a restart, and stays as it was until the lists are read', () => {
		const starts = new Starts();
		const saved = { bookmark: now, started: ['b', 'gone'] };
		starts.resume(saved);
		expect(starts.progress).toEqual(saved);
		list(starts, [formAt(now + 1, 'a'), formAt(now + 2, 'b')]);
		expect(keys(starts.missing())).toEqual(['a']);
		expect(starts.progress).toEqual({ bookmark: now, started: ['b'] });
	});
});

it('what n8n’s store alone knows is counted until it is saved', () => {
	const starts = startsSince(now);
	startAll(starts, ['a', 'b', 'b']);
	starts.skip('c');
	expect(starts.unsavedCount).toBe(2);
	starts.onSaved(1);
	expect(starts.unsavedCount).toBe(1);
	starts.onSaved(Infinity);
	expect(starts.unsavedCount).toBe(0);
});

describe('what is remembered', () => {
	it('10,000 delivered forms that the list does not show are known at most', () => {
		const starts = startsSince(now);
		for (let index = 0; index <= 10_000; index++) starts.ask(String(index), now);
		expect(['0', '1', '10000'].map((key) => starts.hasExecution(key))).toEqual([false, true, true]);
	});

	it('a new beginning forgets what was listed, what has started the workflow, and what static data knew', () => {
		const starts = new Starts();
		starts.resume({ bookmark: now, started: ['known'] });
		list(starts, [formAt(now + 1, 'a')]);
		startAll(starts, ['a']);
		starts.list([formAt(now + 8 * DAY, 'b')], now + 9 * DAY, now);
		starts.reset();
		starts.resume({ bookmark: now + 5 });
		expect([starts.hasExecution('a'), starts.missing(), placeOf(starts)]).toEqual([false, [], now + 5]);
		expect(starts.progress.started).toEqual([]);
		// The newest form was another account's.
		list(starts, [formAt(now + 6, 'known')]);
		expect(keys(starts.missing())).toEqual(['known']);
	});
});

it('records come oldest first, and in the order of their keys where they are of one millisecond', () => {
	const sorted = [formAt(2, 'a'), formAt(1, 'z'), formAt(1, 'b')].sort(byAge);
	expect(keys(sorted)).toEqual(['b', 'z', 'a']);
});
