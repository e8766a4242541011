import type { ITriggerFunctions } from 'n8n-workflow';

import { type ArgyleClient, connect } from '../../transport/client';
import { type ArgyleError, asArgyleError, undefinedWhenLacking } from '../../transport/errors';
import { isWithin } from '../../utils/clock';
import { type EventList, listsOf } from '../starts/eventList';
import { isSameAccount, showsKnownEvent } from '../starts/knownAccount';
import { MissedEvents } from '../starts/missedEvents';
import { MAX_UNSAVED } from '../state/limits';
import { assertSwitches, checkedEvents, type TriggerSettings } from '../state/settings';
import { DELIVERED_MS, PUBLISH, RECORD_CLOCK_MS } from '../state/timing';
import type { Trigger } from '../state/trigger';
import type { Watched } from '../state/watched';
import { boundToKey, subscriptionIn } from '../state/wish';
import { reportGap, reportTooOld } from './reportLoss';
import { connectToLook, recentLists } from './sharedLists';

/** Remembers since when each of the events counts: those that were not wanted yet since `now`. */
function knowSince({ wish }: Trigger, { keyDigest }: ArgyleClient, events: string[], now: number): void {
	wish.know({ boundTo: boundToKey(keyDigest), keyDigest, since: wish.sinceOfAll(events, now) });
}

/**
 * Returns the time of this moment. It is the earliest that the clock of Argyle's records may show now, but later than
 * each event that a list shows already. Throws ArgyleError if Argyle shows none of the lists.
 */
async function timeNow({ starts, wish }: Trigger, lists: EventList[]): Promise<number> {
	const refusals: ArgyleError[] = [];
	const newest: number[] = [];
	for (const list of lists) {
		const event = await list.newestEvent().catch((error: unknown) => {
			undefinedWhenLacking(error);
			refusals.push(asArgyleError(error));
			return undefined;
		});
		if (event === undefined) continue;
		// If the key is replaced later, this event shows that the account is the same. It may still have to start the
		// workflow, unless the trigger begins anew.
		if (wish.isNew) starts.addDone(event.key);
		if (event.happenedAt <= list.latestServiceTime) newest.push(event.happenedAt + 1);
	}
	if (refusals.length === lists.length) throw refusals[0];
	return Math.max(lists[0].serviceTime - RECORD_CLOCK_MS, ...newest);
}

/**
 * Called while a person publishes, so that only later events start the workflow. If the trigger goes on where it was,
 * nothing that Argyle answers makes the publish fail: the looks tell what is wrong. Otherwise throws ArgyleError when
 * Argyle can't be asked.
 */
export async function publishPolling(
	context: ITriggerFunctions,
	trigger: Trigger,
	settings: TriggerSettings,
): Promise<void> {
	assertSwitches(settings);
	const events = checkedEvents(settings.events);
	const { wish } = trigger;
	const publish = async () => {
		const client = await connect(context, PUBLISH);
		if (!(await isSameAccount(trigger, client, []))) trigger.begin();
		const isAdding = events.some((event) => wish.sinceOf(event) === undefined);
		const time = isAdding ? await timeNow(trigger, listsOf(client, events)) : Infinity;
		// A change is published after n8n has booted, and before the first look.
		if (wish.isUnread) await readKept(trigger, client, events, time);
		else knowSince(trigger, client, events, time);
	};
	if (wish.isNew) trigger.forgetSaved(context);
	await publish().catch((error: unknown) => {
		if (wish.isNew) throw error;
	});
	trigger.save(context);
}

/**
 * Learns since when events count, after n8n has booted: static data knows. If it does not, or if it is that of another
 * account, the trigger begins anew at `time`.
 */
async function readKept(trigger: Trigger, client: ArgyleClient, events: string[], time: number): Promise<void> {
	const { ownSaved, foreignSaved, wish, starts } = trigger;
	const { boundTo, since = {} } = ownSaved;
	starts.resume(ownSaved);
	const isSameKey = boundTo === boundToKey(client.keyDigest);
	// What names a subscription is older than the change to Checking for Events.
	const isOfKey = boundTo !== undefined && subscriptionIn(boundTo) === undefined;
	const isKept = isOfKey && (isSameKey || (await showsKnownEvent(trigger, client)));
	if (isKept) wish.know({ boundTo, keyDigest: client.keyDigest, since });
	else trigger.begin();
	if (!isKept && foreignSaved === undefined) trigger.notes.gap.write({ after: ownSaved.bookmark, until: time });
	knowSince(trigger, client, events, time);
}

/**
 * Returns the look of a trigger that checks for events. It looks for what has happened since the last look. Nothing is
 * registered at Argyle. `hadSubscription` says whether deliveries of an old subscription may still come.
 */
export function pollEvents(watched: Watched, hadSubscription: boolean): () => Promise<number | undefined> {
	const { context, trigger, settings, closed } = watched;
	const missedEvents = new MissedEvents(watched);
	const { wish, starts, notes } = trigger;
	const watchedSince = Date.now();
	let savedFor = wish.isUnread ? trigger.ownSaved.boundTo : wish.known?.boundTo;
	let lookedAt: number | undefined;
	return async () => {
		const events = checkedEvents(settings.events);
		const lists = recentLists(await connectToLook(context));
		const { client } = lists;
		const eventLists = lists.of(events);
		await eventLists[0].newestEvent().catch(() => undefined);
		// A publish may have come meanwhile, and chosen other events.
		if (closed.aborted) return undefined;
		if (wish.isUnread) await readKept(trigger, client, events, client.toServiceTime(watchedSince));
		else if (!(await isSameAccount(trigger, client, []))) {
			trigger.begin();
			notes.gap.write({ after: lookedAt, until: client.toServiceTime(Date.now()) });
		}
		knowSince(trigger, client, events, client.toServiceTime(Date.now()));
		const mayBeDelivered = hadSubscription && isWithin(DELIVERED_MS, watchedSince, Date.now());
		const nextLook = await missedEvents.look(eventLists, mayBeDelivered);
		const boundTo = wish.known?.boundTo;
		if (starts.unsavedCount >= MAX_UNSAVED || boundTo !== savedFor) missedEvents.executions.save();
		savedFor = boundTo;
		reportGap(watched, notes.gap.take());
		reportTooOld(watched, lookedAt);
		lookedAt = client.toServiceTime(Date.now());
		return nextLook;
	};
}
