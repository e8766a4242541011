import type { ITriggerFunctions } from 'n8n-workflow';

import type { TriggerSettings } from './settings';
import type { Trigger } from './trigger';

/** A published trigger while this process watches it. */
export interface Watched {
	context: ITriggerFunctions;
	trigger: Trigger;
	settings: TriggerSettings;
	/** Aborted when n8n ends the watch. */
	closed: AbortSignal;
}
