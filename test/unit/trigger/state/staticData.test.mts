import { type IDataObject, ObservableObject } from 'n8n-workflow';
import {
	isSaved,
	readState,
	type SavedState,
	stateToSave,
	writeState,
} from '../../../../nodes/Argyle/trigger/state/staticData';

const registered = {
	id: 'id',
	url: 'https://n8n.example.com/webhook/x/webhook',
};
const bookmark = {
	time: Date.UTC(2026, 0, 2, 3, 4, 5),
	key: 'f',
	keyDigest: '0123456789abcdef',
	credential: 'c',
	started: ['g', 'h'],
	readAt: 8,
};
const wantedSince = { 'accounts.added': 6 };
const state: SavedState = {
	owner: 'o',
	registered,
	bookmark,
	wantedSince,
	takenDownAt: 7,
	isSavedByLook: true,
	firstWantedAt: 5,
	beganAnewAt: 4,
};
const empty = { owner: undefined, registered: undefined, bookmark: undefined, wantedSince: {}, isSavedByLook: false };

/** As n8n loads what it has saved. */
const saved = (staticData: object): IDataObject => JSON.parse(JSON.stringify(staticData));

it('the state is read as it was written, and people can read its time', () => {
	const staticData = {};
	writeState(staticData, state);
	expect(readState(saved(staticData))).toEqual(state);
	expect(staticData).toMatchObject({ bookmark: { time: '2026-01-02T03:04:05.000Z' } });
	expect(readState(saved(stateToSave(state)))).toEqual(state);
});

it('static data loses what the state no longer holds, and what an older version kept', () => {
	const staticData = { secret: 'a'.repeat(64), startedForms: 'a b' };
	writeState(staticData, state);
	expect(Object.keys(staticData).sort()).toEqual(Object.keys(state).sort());
	Object.assign(staticData, { startedForms: 'a b' });
	expect(isSaved(staticData, state)).toBe(false);
	writeState(staticData, state);
	expect(isSaved(staticData, state)).toBe(true);
	writeState(staticData, {});
	expect(staticData).toEqual({});
});

it('n8n saves static data only when something in it has changed', () => {
	const staticData: IDataObject = ObservableObject.create(saved(stateToSave(state)));
	expect(isSaved(staticData, state)).toBe(true);
	writeState(staticData, state);
	expect(staticData.__dataChanged).toBe(false);
	const moved = { ...state, bookmark: { ...bookmark, key: 'g' } };
	expect(isSaved(staticData, moved)).toBe(false);
	writeState(staticData, moved);
	expect(staticData.__dataChanged).toBe(true);
	expect(readState(saved(staticData))).toEqual(moved);
});

it('where the trigger was registered last is read without the subscription, which may be gone', () => {
	const { id: _, ...gone } = registered;
	for (const id of [undefined, '', 7]) expect(readState({ registered: { ...gone, id } }).registered).toEqual(gone);
});

it('a bookmark without a form, and with nothing after it, is read as it was written', () => {
	const { key: _, started: __, readAt: ___, ...whole } = bookmark;
	const staticData = {};
	writeState(staticData, { bookmark: { ...whole, key: undefined, started: [], readAt: undefined } });
	expect(Object.keys(stateToSave({ bookmark: whole }).bookmark ?? {}).sort()).toEqual(Object.keys(whole).sort());
	expect(readState(saved(staticData)).bookmark).toEqual({ ...whole, started: [] });
});

it.each<[unknown, unknown]>([
	['g h', '8'],
	[{ 0: 'g' }, null],
	[[7, '', null], NaN],
])('what started the workflow after the bookmark is left out where it is malformed: %j', (started, readAt) => {
	const time = '2026-01-02T03:04:05.000Z';
	const read = readState(saved({ bookmark: { ...bookmark, time, started, readAt } }));
	expect(read.bookmark).toEqual({ ...bookmark, started: [], readAt: undefined });
});

it.each([
	{},
	{
		owner: 7,
		registered: null,
		bookmark: null,
		wantedSince: { 'accounts.added': '6' },
		takenDownAt: null,
		isSavedByLook: 'true',
		firstWantedAt: null,
		beganAnewAt: true,
	},
	{ owner: '', registered: 'id', bookmark: 1_700_000_000_000, takenDownAt: '7', firstWantedAt: 'yesterday' },
	{ registered: [], bookmark: 'yesterday', takenDownAt: Infinity, firstWantedAt: NaN },
	{ registered: { ...registered, url: 7 } },
	{ bookmark },
	{ bookmark: { ...bookmark, time: 'yesterday' } },
	{ bookmark: { ...bookmark, time: '2026-01-02T03:04:05.000Z', keyDigest: 7 } },
	{ bookmark: { ...bookmark, time: '2026-01-02T03:04:05.000Z', credential: null } },
])('static data of the wrong type or format is no state: %j', (staticData) => {
	expect(readState(staticData)).toEqual(empty);
});
