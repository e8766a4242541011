import { submittedForm, takeState, withState } from '../../../../nodes/Argyle/trigger/submittedForm';

const id = '018f4d2e-6a43-4f53-9f0b-3f4d1f0f7a11';

it('submittedForm is the ID of a submitted form, and nothing for other events or no ID', () => {
	expect(submittedForm({ event: 'user_forms.submitted', data: { user_form: id } })).toBe(id);
	expect(submittedForm({ event: 'user_forms.removed', data: { user_form: id } })).toBeUndefined();
	for (const data of [{ user_form: '../webhooks' }, { user_form: 7 }, {}, [id], null, undefined])
		expect(submittedForm({ event: 'user_forms.submitted', data })).toBeUndefined();
});

it('takeState takes out of the item again what withState put in, and what is not as it should be', () => {
	const item = { event: 'user_forms.submitted', data: { user_form: id } };
	const state = {
		registered: { id, url: 'https://u', account: 'a', environment: 'Sandbox' },
		bookmark: 7,
		startedForms: [],
	};
	const nothing = { registered: undefined, bookmark: undefined, startedForms: [] };
	expect(takeState(item)).toEqual({ item, state: nothing });
	const sent = withState(item, state);
	expect(takeState(JSON.parse(JSON.stringify(sent)))).toEqual({ item, state });
	expect(takeState(withState(item, {}))).toEqual({ item, state: nothing });
	const [field = ''] = Object.keys(sent).filter((name) => !(name in item));
	for (const wrong of ['x', 7, null, []])
		expect(takeState({ ...item, [field]: wrong })).toEqual({ item, state: nothing });
});
