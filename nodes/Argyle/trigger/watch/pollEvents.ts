import type { ITriggerFunctions } from 'n8n-workflow';

import { connect } from '../../transport/client';
import { ensureBookmark, positionNow } from '../starts/ensureBookmark';
import { listsOf } from '../starts/eventList';
import { MissedEvents } from '../starts/missedEvents';
import { assertSwitches, checkedEvents, type TriggerSettings } from '../state/settings';
import { connectToLook, recentLists } from './sharedLists';
import { PUBLISH } from '../state/timing';
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
	assertSwitches(settings);
	const events = checkedEvents(settings.events);
	const client = await connect(context, PUBLISH);
	await ensureBookmark(trigger, client, listsOf(client, events), events, positionNow);
	trigger.publication.succeed();
	trigger.save(context);
}

/**
 * Returns the look of a trigger that checks for events. It looks for what has happened since the last look. Nothing is
 * registered at Argyle. `startedAt` is when n8n has started. It is undefined after a publish.
 */
export function pollEvents(
	context: ITriggerFunctions,
	trigger: Trigger,
	settings: TriggerSettings,
	closed: AbortSignal,
	startedAt: number | undefined,
): () => Promise<number | undefined> {
	const missedEvents = new MissedEvents(context, trigger, settings, closed);
	return async () => {
		const events = checkedEvents(settings.events);
		const lists = recentLists(await connectToLook(context));
		const { client } = lists;
		// A publish may have come meanwhile, and chosen other events.
		if (closed.aborted) return undefined;
		if (startedAt !== undefined && trigger.bookmark === undefined) trigger.restoreBookmark(client, startedAt);
		await ensureBookmark(trigger, client, lists.of(events), events, positionNow, startedAt);
		const nextLook = await missedEvents.look(lists.of(events));
		// This comes last: if a look fails before, the next one is still the first after the start.
		startedAt = undefined;
		return nextLook;
	};
}
