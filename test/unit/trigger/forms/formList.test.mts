import { missedForms } from '../../../../nodes/Argyle/trigger/forms/formList';

const now = 1_700_000_000_000;

it('a clock that is set back does not hold back a form that may still have been on its way', () => {
	const form = { id: 'f', account: 'a', createdAt: now - 1_000, record: {} };
	const list = { forms: [form], earliest: () => 0 };
	const firstSeen = new Map<string, number>();
	const lookAt = (time: number) => missedForms(list, 0, () => false, firstSeen, 35_000, time).ready;
	expect([lookAt(now), lookAt(now + 34_999)]).toEqual([[], []]);
	expect(lookAt(now - 3_600_000)).toEqual([form]);
	expect(lookAt(now + 35_000)).toEqual([form]);
});

it('the bookmark stays before a form that may be on its way, though Argyle shows a later one already', () => {
	const formAt = (id: string, createdAt: number) => ({ id, account: 'a', createdAt, record: {} });
	const old = formAt('old', now - 3_600_000);
	const young = formAt('young', now - 1_000);
	const started = formAt('started', now + 1_200_000);
	const list = { forms: [started, young, old], earliest: () => 0 };
	const look = (forms: typeof list) => missedForms(forms, 0, (id) => id === 'started', new Map(), 35_000, now);
	expect(look(list)).toEqual({ ready: [old], hasYoung: true, nextBookmark: now - 1_001 });
	expect(look({ ...list, forms: [started, old] })).toEqual({
		ready: [old],
		hasYoung: false,
		nextBookmark: now + 600_000,
	});
});

it('a form that is two minutes old is not on its way any more', () => {
	const form = { id: 'f', account: 'a', createdAt: now - 120_000, record: {} };
	const lookAt = (time: number) =>
		missedForms({ forms: [form], earliest: () => 0 }, 0, () => false, new Map(), 35_000, time).ready;
	expect([lookAt(now - 1), lookAt(now)]).toEqual([[], [form]]);
});
