import type { ITriggerFunctions } from 'n8n-workflow';

import { connect } from '../../transport/client';
import { ensureBookmark, newestPosition } from '../starts/ensureBookmark';
import { MissedForms } from '../starts/missedForms';
import { saveState } from '../state/savedState';
import type { TriggerSettings } from '../state/settings';
import { recentLists } from './sharedLists';
import { LOOK, LOOK_INTERVAL, PUBLISH } from '../state/timing';

/**
 * Called while a person publishes, so that only what is submitted from then on starts the workflow; a changed trigger
 * goes on where it was.
 */
export async function beginPolling(context: ITriggerFunctions): Promise<void> {
	await ensureBookmark(context, await connect(context, PUBLISH), newestPosition);
	saveState(context);
}

/** Looks which forms were submitted since the last time. Nothing is registered at Argyle. */
export function pollForms(
	context: ITriggerFunctions,
	settings: TriggerSettings,
	closed: AbortSignal,
): () => Promise<number> {
	const missedForms = new MissedForms(context, settings, closed);
	return async () => {
		const client = await connect(context, LOOK);
		const lists = await recentLists(client);
		await ensureBookmark(context, client, newestPosition);
		await missedForms.look(lists.forms());
		return LOOK_INTERVAL.polling;
	};
}
