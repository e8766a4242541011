import type { IDataObject } from 'n8n-workflow';
import type { ArgyleClient } from '../../../../nodes/Argyle/transport/client';
import {
	beginBookmark,
	creationTime,
	currentState,
	dropBookmark,
	furthest,
	hasBookmark,
	lastRegistration,
	loadState,
	moveBookmark,
	newestPosition,
	saveState,
} from '../../../../nodes/Argyle/trigger/forms/bookmark';
import type { FormList } from '../../../../nodes/Argyle/trigger/forms/formList';
import type { Position } from '../../../../nodes/Argyle/trigger/forms/knownForms';
import { readState } from '../../../../nodes/Argyle/trigger/staticData';
import { type TriggerContext, triggerMemory } from '../../../../nodes/Argyle/trigger/triggerMemory';

const now = 1_700_000_000_000;
const registered = { id: 's', url: 'https://n8n.example.com/webhook', account: 'a', environment: 'Sandbox' };
const client = (keyDigest: string): ArgyleClient => Object.create({ keyDigest });
const formAt = (createdAt: number, id: string) => ({ id, account: 'a', createdAt, record: {} });
const at = (time: number, more: object = {}) => ({ time, account: 'a', node: 'n', ...more });

let processes = 0;

/** A trigger in a process that knows nothing of it yet. */
function newProcess(staticData: IDataObject = {}, node = 'n'): TriggerContext {
	const workflow = `w${++processes}`;
	return {
		getNode: () => ({ id: node }),
		getWorkflow: () => ({ id: workflow }),
		getWorkflowStaticData: (type) => (type === 'node' ? staticData : {}),
	};
}

/** Static data with a registration, a bookmark, and the form `begun`, which has started the workflow since. */
function savedState(position: Position = { time: now }): IDataObject {
	const staticData = {};
	const trigger = newProcess(staticData);
	triggerMemory(trigger).registered = registered;
	beginBookmark(trigger, client('a'), position);
	triggerMemory(trigger).forms.begin('begun', now);
	saveState(trigger);
	return staticData;
}

it('of two bookmarks of one trigger the later one counts, by the form where the time is the same', () => {
	expect(furthest(at(1), at(2))).toEqual(at(2));
	expect(furthest(at(2, { form: 'x' }), at(1, { form: 'y' }))).toEqual(at(2, { form: 'x' }));
	expect(furthest(at(1, { form: 'x' }), at(1, { form: 'y' }))).toEqual(at(1, { form: 'y' }));
	expect(furthest(at(1, { form: 'y' }), at(1, { form: 'x' }))).toEqual(at(1, { form: 'y' }));
	// Without a form it lies behind all of that millisecond.
	expect(furthest(at(1, { form: 'f' }), at(1))).toEqual(at(1));
	expect([furthest(undefined, at(1)), furthest(at(1), undefined)]).toEqual([at(1), at(1)]);
	expect(furthest(undefined, undefined)).toBeUndefined();
});

it('a bookmark of another account or node does not count, however late it is', () => {
	expect(furthest(at(1), at(2, { account: 'b' }))).toEqual(at(1));
	expect(furthest(at(1), at(2, { node: 'm' }))).toEqual(at(1));
});

it('registration, bookmark and started forms are known again after a restart of n8n, read once', () => {
	const staticData = savedState();
	const trigger = newProcess(staticData);
	loadState(trigger);
	const memory = triggerMemory(trigger);
	expect(memory).toMatchObject({ registered, bookmark: at(now) });
	expect([memory.forms.hasBegun('begun'), memory.forms.isForgotten(formAt(now, 'f'))]).toEqual([true, true]);
	Object.assign(staticData, { bookmark: { ...at(0), time: new Date(now + 1).toISOString() } });
	loadState(trigger);
	expect(memory.bookmark?.time).toBe(now);
});

it('a restarted n8n keeps what it has registered since, and takes no bookmark of another node or none', () => {
	const trigger = newProcess(savedState(), 'copy');
	triggerMemory(trigger).registered = { ...registered, id: 'newer' };
	loadState(trigger);
	expect(triggerMemory(trigger)).toMatchObject({ registered: { id: 'newer' }, hasReadState: true });
	expect(triggerMemory(trigger).bookmark).toBeUndefined();
	expect(triggerMemory(trigger).forms.has('begun')).toBe(false);
	expect(() => loadState(newProcess())).not.toThrow();
});

it('after a restart the bookmark keeps its form, so that later ones of the same millisecond still count', () => {
	const trigger = newProcess(savedState({ time: now, form: 'm' }));
	loadState(trigger);
	moveBookmark(trigger);
	const { bookmark, forms } = triggerMemory(trigger);
	expect(bookmark).toEqual(at(now, { form: 'm' }));
	expect(['a', 'm', 'z'].map((id) => forms.isForgotten(formAt(now, id)))).toEqual([true, true, false]);
});

it('the bookmark moves behind the forms that have begun, and a trigger without one gets none', () => {
	const trigger = newProcess(savedState());
	moveBookmark(trigger);
	expect(triggerMemory(trigger).bookmark).toBeUndefined();
	loadState(trigger);
	const { forms } = triggerMemory(trigger);
	forms.list([formAt(now + 1, 'f'), formAt(now + 86_400_000, 'newest')]);
	forms.begin('f', now);
	moveBookmark(trigger);
	expect(triggerMemory(trigger).bookmark).toEqual(at(now + 1, { form: 'f' }));
});

it('a dropped bookmark is gone from memory and static data with its forms, and is not read again', () => {
	const staticData = savedState();
	const trigger = newProcess(staticData);
	triggerMemory(trigger).bookmark = at(now);
	triggerMemory(trigger).forms.startAt({ time: now });
	dropBookmark(trigger);
	expect(readState(staticData)).toEqual({ registered, bookmark: undefined, startedForms: [] });
	Object.assign(staticData, savedState());
	loadState(trigger);
	const { bookmark, forms } = triggerMemory(trigger);
	expect([bookmark, forms.isForgotten(formAt(0, 'old'))]).toEqual([undefined, false]);
});

it('a new bookmark counts from its place on, whatever static data has', () => {
	const trigger = newProcess(savedState());
	beginBookmark(trigger, client('b'), { time: now + 5, form: 'm' });
	loadState(trigger);
	const { bookmark, forms } = triggerMemory(trigger);
	expect(bookmark).toEqual({ time: now + 5, form: 'm', account: 'b', node: 'n' });
	expect(['m', 'n'].map((id) => forms.isForgotten(formAt(now + 5, id)))).toEqual([true, false]);
});

it.each([
	['of the same key', 'a', false, true, 'a'],
	['of another key of the same account, which it is then saved with', 'b', true, true, 'b'],
	['of another account, which is dropped', 'b', false, false, undefined],
])('hasBookmark tells whether there is one %s', (_, key, isSameAccount, isKept, account) => {
	const trigger = newProcess(savedState());
	expect(hasBookmark(trigger, client(key), () => true)).toBe(false);
	loadState(trigger);
	expect(hasBookmark(trigger, client(key), () => isSameAccount)).toBe(isKept);
	expect(triggerMemory(trigger).bookmark?.account).toBe(account);
});

it('an execution saves what the watching process knows; another process adds what static data has', () => {
	const trigger = newProcess(savedState());
	const memory = triggerMemory(trigger);
	expect([currentState(trigger), lastRegistration(trigger)]).toEqual([{ registered, bookmark: at(now) }, registered]);
	memory.registered = { ...registered, id: 'newer' };
	memory.bookmark = at(now - 1);
	expect(currentState(trigger)).toEqual({ registered: memory.registered, bookmark: at(now) });
	expect(lastRegistration(trigger)?.id).toBe('newer');
	memory.watch = new AbortController().signal;
	expect(currentState(trigger)).toEqual({ registered: memory.registered, bookmark: at(now - 1) });
});

it('a new trigger begins behind the newest form; where there is none yet, every form counts', async () => {
	const listOf = (newest: object | undefined): FormList => Object.create({ newestForm: async () => newest });
	expect(await newestPosition(listOf(formAt(now, 'f')))).toEqual({ time: now, form: 'f' });
	expect(await newestPosition(listOf(undefined))).toEqual({ time: 0 });
});

it('creationTime is when Argyle created the subscription, or now where it does not say', () => {
	jest.spyOn(Date, 'now').mockReturnValue(now);
	expect(creationTime({ id: 's', created_at: '2026-01-02T03:04:05.678Z' })).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
	expect(creationTime({ id: 's' })).toBe(now);
	jest.restoreAllMocks();
});
