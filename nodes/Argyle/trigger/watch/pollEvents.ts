import type { ITriggerFunctions } from 'n8n-workflow';

import { connect } from '../../transport/client';
import { ensureBookmark, present } from '../starts/ensureBookmark';
import { listsOf } from '../starts/eventList';
import { MissedEvents } from '../starts/missedEvents';
import { checkedEvents, type TriggerSettings } from '../state/settings';
import { recentLists } from './sharedLists';
import { LOOK, PUBLISH } from '../state/timing';
import type { Trigger } from '../state/trigger';

/**
 * Called while a person publishes, so that only later events start the workflow. A changed trigger goes on where it
 * was.
 */
export async function beginPolling(
	context: ITriggerFunctions,
	trigger: Trigger,
	settings: TriggerSettings,
): Promise<void> {
	trigger.publication.begin();
	const events = checkedEvents(settings.events);
	const client = await connect(context, PUBLISH);
	await ensureBookmark(trigger, client, listsOf(client, events), events, present);
	trigger.publication.succeed();
	trigger.save(context);
}

/** Looks for what has happened since the last look. Nothing is registered at Argyle. */
export function pollEvents(
	context: ITriggerFunctions,
	trigger: Trigger,
	settings: TriggerSettings,
	closed: AbortSignal,
): () => Promise<number | undefined> {
	const missedEvents = new MissedEvents(context, trigger, settings, closed);
	const startedAt = Date.now();
	// It stays true until a look succeeds, because a look can fail before it has restored anything.
	let isAtStart = trigger.isStart(context, true);
	return async () => {
		const client = await connect(context, LOOK);
		if (isAtStart && trigger.bookmark === undefined) trigger.restoreBookmark(client, startedAt);
		const events = checkedEvents(settings.events);
		const lists = await recentLists(client);
		await ensureBookmark(trigger, client, lists.of(events), events, present, isAtStart ? startedAt : undefined);
		const nextLook = await missedEvents.look(lists.of(events));
		isAtStart = false;
		return nextLook;
	};
}
