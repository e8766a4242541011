import { missedForms } from '../../../nodes/Argyle/trigger/missedForms';

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
