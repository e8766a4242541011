import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { byAge, type ListedRecord, type Position } from '../state/listedRecord';
import type { Trigger } from '../state/trigger';
import type { EventList } from './eventList';

/** When the service created the subscription, by its own clock. */
export function creationTime({ created_at: createdAt }: Subscription): number {
	const time = Date.parse(String(createdAt));
	return Number.isNaN(time) ? Date.now() : time;
}

/**
 * Whether the lists are those of the bookmark's account: they show its event, or one that they showed before. One that
 * was only delivered says nothing: another account's subscription delivers as soon as it is there.
 */
export async function showKnownEvent({ bookmark, starts }: Trigger, lists: EventList[]): Promise<boolean> {
	if (bookmark === undefined) return false;
	for (const list of lists) {
		await list.readBackTo(bookmark.time);
		if (list.events.some(({ key }) => key === bookmark.key || starts.isListed(key))) return true;
	}
	return false;
}

/**
 * Begins a bookmark where `begin` says, unless there is one that counts in the client's account, by what its lists
 * show. `wanted` are the events that are caught up: those that were not before count from now on.
 */
export async function ensureBookmark(
	trigger: Trigger,
	client: ArgyleClient,
	lists: EventList[],
	wanted: string[],
	begin: (lists: EventList[]) => Promise<Position>,
): Promise<void> {
	if (!(await trigger.hasBookmark(client, async () => await showKnownEvent(trigger, lists))))
		trigger.beginBookmark(client, await begin(lists), true);
	trigger.want(wanted, client.toServiceTime(Date.now()));
}

/**
 * The present, by the service's clock, so that only what happens from now on counts, even if a list shows late what
 * happened before. What the lists show is from before, too, unless it is dated in the future. By the newest event the
 * account is known, should its key be replaced.
 */
export async function present(lists: EventList[]): Promise<Position> {
	const newestOfEach: Array<ListedRecord | undefined> = [];
	for (const list of lists) newestOfEach.push(await list.newestEvent());
	const newest = newestOfEach
		.filter((event) => event !== undefined)
		.sort(byAge)
		.at(-1);
	const { serviceTime, latestServiceTime } = lists[0];
	const happenedAt = newest?.createdAt ?? 0;
	const time = happenedAt <= latestServiceTime ? Math.max(serviceTime, happenedAt) : serviceTime;
	return { time, key: newest?.key };
}
