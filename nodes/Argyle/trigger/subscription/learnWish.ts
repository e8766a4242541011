import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import type { SavedState } from '../state/savedState';
import type { Trigger } from '../state/trigger';

/** When Argyle created the subscription, by the clock that dates its records. Undefined if Argyle does not say. */
function creationTime({ created_at: createdAt }: Subscription): number | undefined {
	const time = Date.parse(String(createdAt));
	return Number.isNaN(time) ? undefined : time;
}

const newestFirst = (one: Subscription, other: Subscription) => (creationTime(other) ?? 0) - (creationTime(one) ?? 0);

/** Until when static data says that nothing was lost. */
const lastKnown = ({ lookedAt, bookmark, since = {} }: SavedState): number | undefined =>
	lookedAt ?? bookmark ?? Object.values(since).sort((one, other) => one - other)[0];

/** What a list of Argyle's subscriptions shows. */
interface Shown {
	/** Those that send to the trigger's URL. */
	own: Subscription[];
	/** The one that static data names, wherever it sends to: n8n's address may have changed. */
	named?: Subscription;
}

/**
 * Learns since when events count, after n8n has booted. The newest subscription to the trigger's URL says it. Static
 * data makes the time earlier if it names this very subscription. If nobody can know the time, the trigger begins anew,
 * and a gap is noted. It also begins anew in another n8n: what that one's static data names is not this one's.
 */
export function learnWish(trigger: Trigger, client: ArgyleClient, events: string[], { own, named }: Shown): void {
	const { ownSaved, foreignSaved } = trigger;
	const now = client.toServiceTime(Date.now());
	const [newest = named] = [...own].sort(newestFirst);
	const createdAt = newest && creationTime(newest);
	const isForeign = foreignSaved !== undefined;
	if (isForeign || newest === undefined || createdAt === undefined) {
		const isTheirs = isForeign && newest?.id === foreignSaved.boundTo;
		const wasThere = (newest ?? ownSaved.boundTo) !== undefined;
		trigger.begin();
		if (wasThere && !isTheirs) trigger.notes.gap.write({ after: createdAt ?? lastKnown(ownSaved), until: now });
		return;
	}
	const saved = newest.id === ownSaved.boundTo ? ownSaved : undefined;
	const since = events.map((event) => [event, saved === undefined ? createdAt : (saved.since?.[event] ?? now)]);
	trigger.wish.know({ boundTo: newest.id, keyDigest: client.keyDigest, since: Object.fromEntries(since) });
	trigger.starts.resume(saved ?? {});
}

/**
 * Remembers the subscription that is there now. Events that were not wanted before count since its creation, or from
 * now on if it is not new. Returns false if Argyle does not say when it was created. Then nobody knows since when
 * events count.
 */
export function bindWish(
	trigger: Trigger,
	client: ArgyleClient,
	events: string[],
	{ subscription, isNew }: { subscription: Subscription; isNew: boolean },
): boolean {
	const createdAt = creationTime(subscription);
	if (createdAt === undefined) return false;
	const time = isNew ? createdAt : client.toServiceTime(Date.now());
	const { wish } = trigger;
	wish.know({ boundTo: subscription.id, keyDigest: client.keyDigest, since: wish.sinceOfAll(events, time) });
	return true;
}
