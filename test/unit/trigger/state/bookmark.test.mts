import {
	beginBookmark,
	creationTime,
	dropBookmark,
	furthest,
	hasBookmark,
	moveBookmark,
} from '../../../../nodes/Argyle/trigger/state/bookmark';
import { loadState } from '../../../../nodes/Argyle/trigger/state/savedState';
import { readState } from '../../../../nodes/Argyle/trigger/state/staticData';
import { triggerMemory } from '../../../../nodes/Argyle/trigger/state/triggerMemory';
import { at, client, formAt, newProcess, now, registered, savedState } from './savedTrigger.mts';

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
])('hasBookmark tells whether there is one %s', async (_, key, isSameAccount, isKept, account) => {
	const trigger = newProcess(savedState());
	expect(await hasBookmark(trigger, client(key), async () => true)).toBe(false);
	loadState(trigger);
	expect(await hasBookmark(trigger, client(key), async () => isSameAccount)).toBe(isKept);
	expect(triggerMemory(trigger).bookmark?.account).toBe(account);
});

it('a bookmark that is dropped while its account is looked for is none', async () => {
	const trigger = newProcess(savedState());
	loadState(trigger);
	const dropMeanwhile = async () => {
		dropBookmark(trigger);
		return true;
	};
	expect(await hasBookmark(trigger, client('b'), dropMeanwhile)).toBe(false);
});

it('creationTime is when Argyle created the subscription, or now where it does not say', () => {
	jest.spyOn(Date, 'now').mockReturnValue(now);
	expect(creationTime({ id: 's', created_at: '2026-01-02T03:04:05.678Z' })).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
	expect(creationTime({ id: 's' })).toBe(now);
	jest.restoreAllMocks();
});
