import { furthest } from '../../../../nodes/Argyle/trigger/forms/bookmark';

const at = (time: number, more: object = {}) => ({ time, account: 'a', node: 'n', ...more });

it('of two bookmarks of one trigger the later one counts, by the form where the time is the same', () => {
	expect(furthest(at(1), at(2))).toEqual(at(2));
	expect(furthest(at(2), at(1))).toEqual(at(2));
	expect(furthest(at(1, { form: 'x' }), at(1, { form: 'y' }))).toEqual(at(1, { form: 'y' }));
	expect(furthest(at(1, { form: 'y' }), at(1, { form: 'x' }))).toEqual(at(1, { form: 'y' }));
	expect([furthest(undefined, at(1)), furthest(at(1), undefined)]).toEqual([at(1), at(1)]);
	expect(furthest(undefined, undefined)).toBeUndefined();
});

it('a bookmark of another account or node does not count, however late it is', () => {
	expect(furthest(at(1), at(2, { account: 'b' }))).toEqual(at(1));
	expect(furthest(at(1), at(2, { node: 'm' }))).toEqual(at(1));
});
