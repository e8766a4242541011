import type { ITriggerFunctions } from 'n8n-workflow';

import { connect } from '../../transport/client';
import { ensureBookmark, present } from '../starts/ensureBookmark';
import { MissedForms } from '../starts/missedForms';
import type { TriggerSettings } from '../state/settings';
import { recentLists } from './sharedLists';
import { LOOK, LOOK_INTERVAL, PUBLISH } from '../state/timing';
import type { Trigger } from '../state/trigger';

/**
 * Called while a person publishes, so that only what is submitted from then on starts the workflow; a changed trigger
 * goes on where it was.
 */
export async function beginPolling(context: ITriggerFunctions, trigger: Trigger): Promise<void> {
	trigger.notePublishing();
	await ensureBookmark(trigger, await connect(context, PUBLISH), present);
	trigger.notePublished();
	trigger.save(context);
}

/**
 * Called when n8n starts, so that static data has a bookmark from then on. Nobody looks on then, and a look makes up for
 * what fails.
 */
export async function ensureBookmarkAtStart(
	context: ITriggerFunctions,
	trigger: Trigger,
	isPolling: boolean,
): Promise<void> {
	// A subscription tells when it was made, and what is lost is made up for by the first look.
	if (!isPolling && (trigger.isUnknown || trigger.lostSince !== undefined)) return;
	const client = await connect(context, LOOK).catch(() => undefined);
	if (client === undefined || trigger.bookmark?.keyDigest === client.keyDigest) return;
	const { lostSince = trigger.isUnknown ? 0 : undefined, isUnknown } = trigger;
	if (lostSince !== undefined) trigger.beginBookmark(client, { time: lostSince }, false);
	if (lostSince !== undefined) trigger.isDoubtful = isUnknown;
	else await ensureBookmark(trigger, client, present).catch(() => undefined);
	if (!isUnknown && trigger.bookmark !== undefined) trigger.save(context);
	// A subscription tells better.
	if (!isPolling) trigger.dropBookmark();
}

/** Looks which forms were submitted since the last time. Nothing is registered at Argyle. */
export function pollForms(
	context: ITriggerFunctions,
	trigger: Trigger,
	settings: TriggerSettings,
	closed: AbortSignal,
): () => Promise<number> {
	const missedForms = new MissedForms(context, trigger, settings, closed);
	return async () => {
		const client = await connect(context, LOOK);
		const lists = await recentLists(client);
		await ensureBookmark(trigger, client, present);
		await missedForms.look(lists.forms());
		return LOOK_INTERVAL.polling;
	};
}
