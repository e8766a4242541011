import { readState, takeState, withState, writeState } from '../../../../nodes/Argyle/trigger/state/staticData';

const registered = {
	id: 'id',
	url: 'https://n8n.example.com/webhook/x/webhook',
	account: '0123456789abcdef',
	environment: 'Sandbox',
};
const bookmark = { time: Date.UTC(2026, 0, 2, 3, 4, 5), form: 'f', account: registered.account, node: 'n' };
const empty = { registered: undefined, bookmark: undefined, startedForms: [] };

describe('readState and writeState', () => {
	it('reads back the trigger state that was written', () => {
		const staticData = {};
		const state = { registered, bookmark, startedForms: ['a', 'b'] };
		writeState(staticData, state);
		expect(readState(JSON.parse(JSON.stringify(staticData)))).toEqual(state);
		expect(staticData).toMatchObject({ bookmark: { time: '2026-01-02T03:04:05.000Z' } });
	});

	it('removes from static data what the state no longer holds, and what an older version kept', () => {
		const staticData = { secret: 'a'.repeat(64), retired: [{ secret: 'b'.repeat(64), until: 9e15 }] };
		writeState(staticData, { registered, bookmark, startedForms: ['a'] });
		expect(Object.keys(staticData).sort()).toEqual(['bookmark', 'registered', 'startedForms']);
		writeState(staticData, { startedForms: [] });
		expect(staticData).toEqual({});
	});

	it('keeps the last 1,000 forms that started the workflow', () => {
		const staticData = {};
		writeState(staticData, { startedForms: Array.from({ length: 1_001 }, (_, index) => String(index)) });
		const { startedForms } = readState(staticData);
		expect([startedForms.length, startedForms[0], startedForms.at(-1)]).toEqual([1_000, '1', '1000']);
	});

	it('reads where the trigger was registered last without the subscription, which may be gone', () => {
		const { id: _, ...gone } = registered;
		for (const id of [undefined, '', 7]) expect(readState({ registered: { ...gone, id } }).registered).toEqual(gone);
	});

	it.each([
		{},
		{ registered: null, bookmark: null, startedForms: null },
		{ registered: 'id', bookmark: 1_700_000_000_000, startedForms: ['a'] },
		{ registered: [], bookmark: 'yesterday', startedForms: '  ' },
		{ registered: { ...registered, account: null } },
		{ registered: { ...registered, environment: undefined } },
		{ registered: { ...registered, url: 7 } },
		{ bookmark: bookmark.time },
		{ bookmark: { ...bookmark, time: 'yesterday' } },
		{ bookmark: { ...bookmark, time: '2026-01-02T03:04:05.000Z', node: undefined } },
		{ bookmark: { ...bookmark, time: '2026-01-02T03:04:05.000Z', account: 7 } },
	])('ignores static data of the wrong type or format: %j', (staticData) => {
		expect(readState(staticData)).toEqual(empty);
	});
});

it('a bookmark without a form is read as it was written', () => {
	const { form: _, ...whole } = bookmark;
	const staticData = {};
	writeState(staticData, { bookmark: { ...whole, form: undefined }, startedForms: [] });
	expect(readState(JSON.parse(JSON.stringify(staticData))).bookmark).toStrictEqual(whole);
});

it('takeState takes out of the item again what withState put in, and what is not as it should be', () => {
	const item = { event: 'user_forms.submitted', data: {} };
	expect(takeState(item)).toEqual({ item, state: empty });
	const sent = withState(item, { registered, bookmark });
	expect(takeState(JSON.parse(JSON.stringify(sent)))).toEqual({ item, state: { ...empty, registered, bookmark } });
	expect(takeState(withState(item, {}))).toEqual({ item, state: empty });
	const [field = ''] = Object.keys(sent).filter((name) => !(name in item));
	for (const wrong of ['x', 7, null, []])
		expect(takeState({ ...item, [field]: wrong })).toEqual({ item, state: empty });
});
