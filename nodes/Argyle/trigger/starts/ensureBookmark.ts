import { eventOfKey } from '../../api/eventSources';
import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { undefinedWhenLacking } from '../../transport/errors';
import { byAge, type ListedRecord, type Position } from '../state/listedRecord';
import { RECORD_CLOCK_MS } from '../state/timing';
import type { Trigger } from '../state/trigger';
import { type EventList, listsOf } from './eventList';

/** When Argyle created the subscription, by Argyle's clock. */
export function creationTime({ created_at: createdAt }: Subscription): number {
	const time = Date.parse(String(createdAt));
	return Number.isNaN(time) ? Date.now() : time;
}

/**
 * Whether the lists belong to the bookmark's account. Then they show the bookmark's event, or another event that a list
 * of this account has shown before. An event that was only delivered proves nothing: a new subscription of another
 * account may have brought it.
 */
export async function showKnownEvent({ bookmark, shownKey, starts }: Trigger, lists: EventList[]): Promise<boolean> {
	if (bookmark === undefined) return false;
	const isKnown = ({ key }: ListedRecord) =>
		key === bookmark.key || key === shownKey || starts.isShown(key) || starts.saved.has(key);
	for (const list of lists) {
		await list.readBackTo(list.isScanned ? 0 : bookmark.time - list.followedMs).catch(undefinedWhenLacking);
		if (list.events.some(isKnown)) return true;
	}
	return false;
}

/** Which events, by their names, show that lists belong to the bookmark's account. */
const knownEvents = ({ bookmark, shownKey, starts }: Trigger): string[] =>
	[bookmark?.key, shownKey, ...(starts.saved.progress.started ?? [])]
		.filter((key) => key !== undefined)
		.map(eventOfKey);

/**
 * Keeps the bookmark of the client's account, or restores one that static data has lost: a person can publish a change
 * before a look has restored it. If there is neither, begins a bookmark at the place that `begin` returns. The account
 * is recognized by what the lists show. `wanted` are the events that are caught up, as for `Trigger.want`.
 */
export async function ensureBookmark(
	trigger: Trigger,
	client: ArgyleClient,
	lists: EventList[],
	wanted: string[],
	begin: (lists: EventList[]) => Promise<Position>,
	startedAt?: number,
): Promise<void> {
	// The trigger may know the account only by events that are no longer wanted.
	const unwanted = () => knownEvents(trigger).filter((event) => !wanted.includes(event));
	const isSameAccount = async () =>
		(await showKnownEvent(trigger, lists)) || (await showKnownEvent(trigger, listsOf(client, unwanted())));
	if (!(await trigger.keepBookmark(client, isSameAccount))) {
		if (trigger.hasLostBookmark) trigger.restoreBookmark(client, Date.now());
		else trigger.beginBookmark(client, await begin(lists), true);
	}
	// What a publish adds counts from now on, by Argyle's clock. A request makes this clock known.
	const isAdding = wanted.some((event) => trigger.wanted.since[event] === undefined);
	if (isAdding && !client.isClockKnown) await lists[0].newestEvent().catch(() => undefined);
	trigger.want(wanted, client, startedAt);
}

async function newestOf(lists: EventList[]): Promise<ListedRecord | undefined> {
	const newest: ListedRecord[] = [];
	for (const list of lists) {
		const event = await list.newestEvent();
		if (event !== undefined) newest.push(event);
	}
	return newest.sort(byAge).at(-1);
}

/**
 * Returns the place of this moment in the lists. Its time is the earliest that the clock of Argyle's records may show
 * now. So each event from now on counts, and none from before, even if a list shows it late. Events that the lists show
 * already do not count: `isEarlier` keeps out those that are dated in the future. The newest event gives the place its
 * key. If the API key is replaced later, this event shows that the account is the same.
 */
export async function positionNow(lists: EventList[]): Promise<Position> {
	const newest = await newestOf(lists);
	const { serviceTime, latestServiceTime } = lists[0];
	const happenedAt = newest?.createdAt ?? 0;
	const begin = serviceTime - RECORD_CLOCK_MS;
	const time = happenedAt <= latestServiceTime ? Math.max(begin, happenedAt) : begin;
	return { time, key: newest?.key };
}
