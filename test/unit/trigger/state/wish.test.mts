import { boundToKey, subscriptionIn, Wish } from '../../../../nodes/Argyle/trigger/state/wish';

const FORMS = 'user_forms.submitted';
const UPLOADS = 'user_uploads.added';

function wishOf(since: Record<string, number>): Wish {
	const wish = new Wish();
	wish.know({ boundTo: 's', keyDigest: 'k', since });
	return wish;
}

it('an event that was not chosen for a while counts from the publish that adds it, though the one before failed', () => {
	const wish = wishOf({ [FORMS]: 1, [UPLOADS]: 1 });
	wish.keep([UPLOADS]);
	expect(wish.sinceOfAll([FORMS, UPLOADS], 9)).toEqual({ [FORMS]: 9, [UPLOADS]: 1 });
});

it('an event counts if it, or the change that led to it, began since it is wanted', () => {
	const wish = wishOf({ [FORMS]: 5 });
	const form = { key: 'f', record: {} };
	expect([4, 5].map((happenedAt) => wish.has({ ...form, happenedAt }))).toEqual([false, true]);
	expect(wish.has({ ...form, happenedAt: 9, countsBy: 4 })).toBe(false);
	expect(wish.has({ key: `${UPLOADS} u`, happenedAt: 9, record: {} })).toBe(false);
});

it('a wish is bound to a subscription or to a key', () => {
	expect([subscriptionIn('id'), subscriptionIn(boundToKey('id')), subscriptionIn(undefined)]).toEqual([
		'id',
		undefined,
		undefined,
	]);
});
