import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import type { Position } from '../state/listedRecord';
import type { Trigger } from '../state/trigger';
import { FormList } from './formList';

/** When the service created the subscription, by its own clock. */
export function creationTime({ created_at: createdAt }: Subscription): number {
	const time = Date.parse(String(createdAt));
	return Number.isNaN(time) ? Date.now() : time;
}

/**
 * Whether the list is that of the bookmark's account: it shows the bookmark's form, or one that the list showed before.
 * One that was only delivered says nothing: another account's subscription delivers as soon as it is there.
 */
export async function showsKnownForm({ bookmark, starts }: Trigger, list: FormList): Promise<boolean> {
	if (bookmark === undefined) return false;
	await list.readBackTo(bookmark.time);
	return list.forms.some(({ key }) => key === bookmark.key || starts.isListed(key));
}

/** Begins a bookmark where `begin` says, unless there is one that counts in the client's account, by its forms. */
export async function ensureBookmark(
	trigger: Trigger,
	client: ArgyleClient,
	begin: (list: FormList) => Promise<Position>,
): Promise<void> {
	const list = new FormList(client);
	if (await trigger.hasBookmark(client, async () => await showsKnownForm(trigger, list))) return;
	trigger.beginBookmark(client, await begin(list), true);
}

/**
 * The present, by the service's clock, so that only what is submitted from now on counts, even if the list shows late
 * what was submitted before. What it shows is from before, too, unless it is dated in the future. By the newest form
 * the account is known, should its key be replaced.
 */
export async function present(list: FormList): Promise<Position> {
	const newest = await list.newestForm();
	const { serviceTime, latestServiceTime } = list;
	const submittedAt = newest?.createdAt ?? 0;
	const time = submittedAt <= latestServiceTime ? Math.max(serviceTime, submittedAt) : serviceTime;
	return { time, key: newest?.key };
}
