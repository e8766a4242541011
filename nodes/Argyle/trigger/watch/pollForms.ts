import type { ITriggerFunctions } from 'n8n-workflow';

import { connect } from '../../transport/client';
import { ensureBookmark, present } from '../starts/ensureBookmark';
import { MissedForms } from '../starts/missedForms';
import type { TriggerSettings } from '../state/settings';
import { recentLists } from './sharedLists';
import { LOOK, LOOK_INTERVAL, PUBLISH } from '../state/timing';
import { isStart, type Trigger } from '../state/trigger';

/**
 * Called while a person publishes, so that only what is submitted from then on starts the workflow; a changed trigger
 * goes on where it was. At a start of n8n nobody looks on, and a look makes up for what fails.
 */
export async function beginPolling(context: ITriggerFunctions, trigger: Trigger): Promise<void> {
	const isAtStart = isStart(context.getActivationMode());
	if (isAtStart && trigger.bookmark !== undefined) return;
	if (!isAtStart) trigger.notePublishing();
	const begin = connect(context, isAtStart ? LOOK : PUBLISH).then(async (client) => {
		await ensureBookmark(trigger, client, present);
		trigger.notePublished();
		trigger.save(context);
	});
	await (isAtStart ? begin.catch(() => undefined) : begin);
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
