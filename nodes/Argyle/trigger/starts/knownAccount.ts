import { eventOfKey } from '../../api/eventSources';
import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { undefinedWhenLacking } from '../../transport/errors';
import type { Trigger } from '../state/trigger';
import { listsOf } from './eventList';

/**
 * Whether the account is the one in which events count: the key is the same, or the account has the subscription, or a
 * list shows an event that this trigger knows. Keys are replaced every day. Also true while no event counts yet.
 */
export async function isSameAccount(
	trigger: Trigger,
	client: ArgyleClient,
	subscriptions: Subscription[],
): Promise<boolean> {
	const { known } = trigger.wish;
	if (known === undefined || known.keyDigest === client.keyDigest) return true;
	return subscriptions.some(({ id }) => id === known.boundTo) || (await showsKnownEvent(trigger, client));
}

/**
 * Whether a list of the client's account shows an event that a list has shown to this trigger before. An event that was
 * only delivered proves nothing: a new subscription of another account may have brought it.
 */
export async function showsKnownEvent({ starts, readFrom }: Trigger, client: ArgyleClient): Promise<boolean> {
	const { shownKeys } = starts;
	for (const list of listsOf(client, [...shownKeys].map(eventOfKey))) {
		await list.readBackTo(list.isScanned ? 0 : readFrom - list.followedMs).catch(undefinedWhenLacking);
		if (list.events.some(({ key }) => shownKeys.has(key))) return true;
	}
	return false;
}
