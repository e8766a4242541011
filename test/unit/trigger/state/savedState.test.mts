import { type IDataObject, ObservableObject } from 'n8n-workflow';
import {
	forgetLook,
	isSaved,
	readState,
	type SavedState,
	writeState,
} from '../../../../nodes/Argyle/trigger/state/savedState';

const state: SavedState = {
	owner: 'o',
	boundTo: 's',
	since: { 'accounts.added': 6 },
	bookmark: 5,
	started: ['g', 'h'],
	lookedAt: 7,
};

/** As n8n loads what it has saved. */
const saved = (staticData: object): IDataObject => JSON.parse(JSON.stringify(staticData));

it('what is kept is read as it was written', () => {
	const staticData = {};
	writeState(staticData, state);
	expect(readState(saved(staticData))).toEqual(state);
});

it('static data loses what is no longer kept, and what an older version kept', () => {
	const staticData: IDataObject = { secret: 'a'.repeat(64), startedForms: 'a b' };
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
	const staticData: IDataObject = ObservableObject.create(saved(state));
	writeState(staticData, state);
	expect(staticData.__dataChanged).toBe(false);
	writeState(staticData, { ...state, bookmark: 6 });
	expect(staticData.__dataChanged).toBe(true);
	staticData.__dataChanged = false;
	forgetLook(staticData);
	expect([staticData.__dataChanged, readState(saved(staticData)).lookedAt]).toEqual([true, undefined]);
	staticData.__dataChanged = false;
	forgetLook(staticData);
	expect(staticData.__dataChanged).toBe(false);
});

it.each([
	{},
	{ owner: 7, boundTo: null, since: 'yesterday', bookmark: '5', started: 'g h', lookedAt: true },
	{ owner: '', boundTo: [], since: { 'accounts.added': '6' }, bookmark: null, started: [7, '', null], lookedAt: NaN },
	{ since: [], bookmark: {}, started: { 0: 'g' }, lookedAt: [] },
	{ since: { 'accounts.added': Date.parse('2036-01-01') }, bookmark: 1e300, lookedAt: Date.parse('2099-01-01') },
])('what is malformed in static data, or dated in the future, is left out: %j', (staticData) => {
	expect(readState(staticData)).toEqual({ since: {}, started: [] });
});
