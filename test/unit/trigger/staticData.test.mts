import { readState, writeState } from '../../../nodes/Argyle/trigger/staticData';

const registered = {
	id: 'id',
	url: 'https://n8n.example.com/webhook/x/webhook',
	account: '0123456789abcdef',
	environment: 'Sandbox',
};
const bookmark = Date.UTC(2026, 0, 2, 3, 4, 5);
const empty = { registered: undefined, bookmark: undefined, startedForms: [] };

describe('readState and writeState', () => {
	it('reads back the trigger state that was written', () => {
		const staticData = {};
		const state = { registered, bookmark, startedForms: ['a', 'b'] };
		writeState(staticData, state);
		expect(readState(JSON.parse(JSON.stringify(staticData)))).toEqual(state);
		expect(staticData).toMatchObject({ bookmark: '2026-01-02T03:04:05.000Z' });
	});

	it('removes from static data what the state no longer holds, and what an older version kept', () => {
		const staticData = { secret: 'a'.repeat(64), retired: [{ secret: 'b'.repeat(64), until: 9e15 }] };
		writeState(staticData, { registered, bookmark, startedForms: ['a'] });
		expect(Object.keys(staticData).sort()).toEqual(['bookmark', 'registered', 'startedForms']);
		writeState(staticData, { startedForms: [] });
		expect(staticData).toEqual({});
	});

	it('keeps the last 500 forms that started the workflow', () => {
		const staticData = {};
		writeState(staticData, { startedForms: Array.from({ length: 501 }, (_, index) => String(index)) });
		const { startedForms } = readState(staticData);
		expect([startedForms.length, startedForms[0], startedForms.at(-1)]).toEqual([500, '1', '500']);
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
	])('ignores static data of the wrong type or format: %j', (staticData) => {
		expect(readState(staticData)).toEqual(empty);
	});
});
