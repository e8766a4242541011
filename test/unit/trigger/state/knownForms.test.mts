import { KnownForms } from '../../../../nodes/Argyle/trigger/state/knownForms';

const now = 1_700_000_000_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

const formAt = (createdAt: number, id = `f${createdAt}`) => ({ id, account: 'a', createdAt, record: {} });

const ids = (forms: Array<{ id: string }>) => forms.map(({ id }) => id);

/** Forms that are submitted once a second, the oldest first. */
const everySecond = (count: number) => Array.from({ length: count }, (_, index) => formAt(now + index * 1_000));

function knownSince(time: number, form?: string): KnownForms {
	const known = new KnownForms();
	known.startAt({ time, form });
	return known;
}

describe('forms that are missing', () => {
	it('are those after the bookmark that nothing is known of, the oldest first', () => {
		const known = knownSince(now);
		known.store('stored', now);
		known.begin('begun', now);
		const others = ['stored', 'begun'].map((id) => formAt(now + 7, id));
		known.list([formAt(now + 9), ...others, formAt(now + 5), formAt(now), formAt(now - 5)]);
		expect(ids(known.missing())).toEqual([`f${now + 5}`, `f${now + 9}`]);
	});

	it('are told apart by their IDs where they were submitted in the same millisecond as the bookmark', () => {
		const known = knownSince(now, 'm');
		known.list(['z', 'm', 'a', 'n'].map((id) => formAt(now, id)));
		expect(ids(known.missing())).toEqual(['n', 'z']);
		const whole = knownSince(now);
		whole.list(['z', 'a'].map((id) => formAt(now, id)));
		expect(whole.missing()).toEqual([]);
	});

	it('are at most a week older than the newest', () => {
		const known = knownSince(0);
		known.list([formAt(now), formAt(now - 7 * DAY), formAt(now - 7 * DAY + 1)]);
		expect(ids(known.missing())).toEqual([`f${now - 7 * DAY + 1}`, `f${now}`]);
	});

	it('are missing again when their execution was not stored after all, but not once it has begun', () => {
		const known = knownSince(now);
		known.list([formAt(now + 1, 'a'), formAt(now + 2, 'b')]);
		for (const id of ['a', 'b', 'c']) known.store(id, now);
		known.begin('b', now);
		expect(known.missing()).toEqual([]);
		for (const id of ['a', 'b', 'c']) known.forget(id);
		expect(ids(known.missing())).toEqual(['a']);
		expect(['a', 'b', 'c'].map((id) => known.has(id))).toEqual([false, true, false]);
	});

	it('are all that the list shows of a trigger without a bookmark, of which none is forgotten', () => {
		const known = new KnownForms();
		expect([known.isForgotten(formAt(0)), known.hasBegun('f0')]).toEqual([false, false]);
		known.list([formAt(now), formAt(now - 1)]);
		expect(ids(known.missing())).toEqual([`f${now - 1}`, `f${now}`]);
	});

	it('are none any more once they have begun, also when one reading has brought them twice', () => {
		const known = knownSince(now);
		const form = formAt(now + 1, 'twice');
		known.list([form, { ...form }]);
		known.begin('twice', now);
		expect(known.missing()).toEqual([]);
	});

	it('are found in a list of 200,000', () => {
		const known = knownSince(now);
		known.list(Array.from({ length: 200_000 }, (_, index) => formAt(now + 1, String(index))));
		expect(known.missing()).toHaveLength(200_000);
	});
});

describe('the bookmark', () => {
	it('stays where it began as long as no form was listed', () => {
		expect(knownSince(now).advance(now)).toEqual({ time: now });
	});

	it('moves behind the forms that have begun, up to the first that has not', () => {
		const known = knownSince(now - MINUTE);
		const forms = everySecond(4);
		known.list([...forms, formAt(now + DAY, 'newest')]);
		for (const id of ids(forms)) known.store(id, now);
		expect(known.advance(now)).toEqual({ time: now - MINUTE });
		for (const id of [forms[0]?.id, forms[1]?.id, forms[3]?.id]) known.begin(String(id), now);
		expect(known.advance(now)).toEqual({ time: now + 1_000, form: forms[1]?.id });
	});

	it('moves behind a form whose execution n8n has held back for ten minutes, and lost none', () => {
		const known = knownSince(now - MINUTE);
		known.list([formAt(now, 'held'), formAt(now + DAY, 'newest')]);
		known.store('held', now);
		known.store('held', now + MINUTE);
		expect(known.advance(now + 10 * MINUTE - 1)).toEqual({ time: now - MINUTE });
		expect(known.advance(now + 10 * MINUTE)).toEqual({ time: now, form: 'held' });
	});

	it('stays ten minutes behind the newest form, before which a late one may still appear', () => {
		const known = knownSince(now - MINUTE);
		const forms = [formAt(now, 'early'), formAt(now + MINUTE, 'middle'), formAt(now + 11 * MINUTE, 'newest')];
		known.list(forms);
		for (const id of ids(forms)) known.begin(id, now);
		expect(known.advance(now)).toEqual({ time: now + MINUTE, form: 'middle' });
		known.list([formAt(now + 2 * MINUTE, 'late'), formAt(now + MINUTE, 'aaa'), formAt(now, 'too late')]);
		expect(ids(known.missing())).toEqual(['late']);
		expect(known.advance(now)).toEqual({ time: now + MINUTE, form: 'middle' });
	});

	it('stays 500 forms behind where more come in ten minutes, but forms are not forgotten so soon', () => {
		const known = knownSince(now - MINUTE);
		const forms = Array.from({ length: 600 }, (_, index) => formAt(now, `f${1_000 + index}`));
		known.list(forms);
		for (const id of ids(forms).slice(0, 550)) known.begin(id, now);
		expect(known.advance(now)).toEqual({ time: now, form: 'f1049' });
		expect([known.begun().length, known.begun()[0]]).toEqual([500, 'f1050']);
		known.list([...forms, formAt(now - 1, 'late')]);
		expect(ids(known.missing())).toEqual(['late', ...ids(forms).slice(550)]);
	});

	it('is not held up by a form that became older than a week before it started', () => {
		const known = knownSince(now - MINUTE);
		known.list([formAt(now, 'old')]);
		known.list([formAt(now + 8 * DAY, 'new')]);
		known.begin('new', now);
		expect(known.advance(now)).toEqual({ time: now, form: 'old' });
	});

	it('moves in order through a backlog that is worked off by and by', () => {
		const known = knownSince(now - MINUTE);
		const forms = everySecond(3_000);
		known.list(forms);
		const places: number[] = [];
		for (const { id } of forms) {
			known.begin(id, now);
			places.push(known.advance(now).time);
		}
		expect(places).toEqual([...places].sort((one, other) => one - other));
		// 500 forms are nearer than ten minutes.
		expect(places.at(-1)).toBe(now + 2_499_000);
		expect(known.begun()).toEqual(ids(forms).slice(-500));
	});
});

describe('what is remembered', () => {
	it('the forms that have begun after the bookmark are named, delivered ones as well', () => {
		const known = knownSince(now);
		known.list([formAt(now + 1, 'a'), formAt(now + 2, 'b')]);
		known.begin('b', now);
		known.begin('delivered', now);
		known.store('stored', now);
		expect(known.begun()).toEqual(['b', 'delivered']);
	});

	it('a delivered form that the list does not show is forgotten an hour later, and 10,000 at most are kept', () => {
		const known = knownSince(now);
		known.store('first', now);
		known.store('second', now + 60 * MINUTE);
		expect([known.has('first'), known.has('second')]).toEqual([false, true]);
		for (let index = 0; index < 10_000; index++) known.store(String(index), now + 60 * MINUTE);
		expect([known.has('second'), known.has('0')]).toEqual([false, true]);
	});

	it('nothing is remembered of 100,000 forms but those of the last ten minutes', () => {
		const known = knownSince(now);
		for (let start = 0; start < 100_000; start += 1_000) {
			const forms = Array.from({ length: 1_000 }, (_, index) => formAt(now + (start + index) * 1_000));
			for (const { id } of forms) known.begin(id, now);
			known.list(forms);
			known.advance(now);
		}
		const [first, last] = [known.has(`f${now}`), known.has(`f${now + 99_999_000}`)];
		expect([first, last, known.begun().length]).toEqual([false, true, 500]);
	});

	it('a new beginning forgets what was listed', () => {
		const known = knownSince(now);
		known.list([formAt(now + 1, 'a')]);
		known.startAt({ time: now + 5 });
		expect(known.missing()).toEqual([]);
		expect(known.advance(now)).toEqual({ time: now + 5 });
	});
});
