import { PROCESS_ID, splitOrigin, withOrigin } from '../../../../nodes/Argyle/trigger/state/itemOrigin';

const item = { event: 'user_forms.submitted', data: { user_form: 'f' } };

const NOTHING_MORE = { usedKeys: undefined, isSaving: false };

/** As n8n stores it, and hands it to another process. */
const stored = (received: object) => JSON.parse(JSON.stringify(received));

it.each([
	['a delivery', { at: 7 }],
	['a missed form', { at: 7, usedKeys: 0 }],
	['a missed form that n8n has dropped', { at: 7, usedKeys: 2 }],
	['an item that is no event', { at: 7, isSaving: true }],
])('the execution of %s gets the item as it was, and beside it who received it and when', (_, origin) => {
	expect(splitOrigin(stored(withOrigin(item, origin)))).toEqual({
		item,
		origin: { process: PROCESS_ID, ...NOTHING_MORE, ...origin },
	});
});

it('an item without an origin stays as it is', () => {
	expect(splitOrigin(item)).toStrictEqual({ item });
});

it('an origin that is not as it should be does not come out, and never says what keeps a form from its start', () => {
	const sent = withOrigin(item, { at: 7 });
	const [field = ''] = Object.keys(sent).filter((name) => !(name in item));
	const wrongs = ['x', 7, null, [], {}, { process: 'p' }, { at: 7 }, { process: 7, at: 7 }, { process: 'p', at: '7' }];
	for (const wrong of wrongs) expect(splitOrigin({ ...item, [field]: wrong })).toStrictEqual({ item });
	const odd = { process: 'p', at: 7, usedKeys: '1', isSaving: 'true' };
	const { origin } = splitOrigin({ ...item, [field]: odd });
	expect(origin).toEqual({ process: 'p', at: 7, ...NOTHING_MORE });
});
