import { submittedForm, takeBookmark, withBookmark } from '../../../nodes/Argyle/trigger/submittedForm';

const id = '018f4d2e-6a43-4f53-9f0b-3f4d1f0f7a11';

it('submittedForm is the ID of a submitted form, and nothing for other events or no ID', () => {
	expect(submittedForm({ event: 'user_forms.submitted', data: { user_form: id } })).toBe(id);
	expect(submittedForm({ event: 'user_forms.removed', data: { user_form: id } })).toBeUndefined();
	for (const data of [{ user_form: '../webhooks' }, { user_form: 7 }, {}, [id], null, undefined])
		expect(submittedForm({ event: 'user_forms.submitted', data })).toBeUndefined();
});

it('takeBookmark takes the bookmark out of the item again, and a wrong one away', () => {
	const item = { event: 'user_forms.submitted', data: { user_form: id } };
	expect(withBookmark(item, undefined)).toBe(item);
	expect(takeBookmark(item)).toEqual({ item, bookmark: undefined });
	const sent = withBookmark(item, 7);
	expect(takeBookmark(sent)).toEqual({ item, bookmark: 7 });
	const [field = ''] = Object.keys(sent).filter((name) => !(name in item));
	expect(takeBookmark({ ...item, [field]: 'x' })).toEqual({ item, bookmark: undefined });
});
