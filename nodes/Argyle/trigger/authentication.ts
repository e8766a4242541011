import type { IWebhookFunctions } from 'n8n-workflow';

import {
	LOOKUP_INTERVAL_MS,
	lookUpSecrets,
	RECHECK_INTERVAL_MS,
	type CachedSecrets,
	SecretCache,
} from './secretLookup';
import { isSignature, isSignedBy, SIGNATURE_HEADER } from '../api/signature';
import { readState, activeSecrets, type TriggerState } from './staticData';

/** Whether a call is genuine: yes, no, or not to be told yet. */
export type AuthenticationResult = 'genuine' | 'refused' | 'undecided';

const readings = new SecretCache();

/** Takes the context of a call; gives what tells this trigger, listening for test events or not, from all others. */
export function triggerKey(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id} ${context.getMode()}`;
}

/** What the service says of the trigger's secrets; undefined when it can't be asked. */
async function read(context: IWebhookFunctions, state: TriggerState, now: number): Promise<CachedSecrets | undefined> {
	const ask = async () => await lookUpSecrets(context, state);
	const everyMs = state.secret === undefined ? LOOKUP_INTERVAL_MS : RECHECK_INTERVAL_MS;
	return await readings.refresh(triggerKey(context), now, ask, everyMs).catch((error: unknown) => {
		context.logger.warn('The Argyle Trigger could not ask Argyle for its secret; the delivery is refused for now', {
			reason: String(error),
		});
		return undefined;
	});
}

/**
 * Takes a call's context and its raw bytes; tells whether Argyle sent exactly these. When no known secret signed them,
 * the service is asked, seldom: static data can be lost, be overwritten by an older execution's, or not be there yet.
 */
export async function authenticate(context: IWebhookFunctions, rawBody: Buffer): Promise<AuthenticationResult> {
	const signature: unknown = context.getHeaderData()[SIGNATURE_HEADER];
	if (!isSignature(signature)) return 'refused';
	const now = Date.now();
	const state = readState(context.getWorkflowStaticData('node'));
	if (isSignedBy(activeSecrets(state, now), rawBody, signature)) return 'genuine';
	const last = readings.get(triggerKey(context), now);
	if (last !== undefined && isSignedBy(last.secrets, rawBody, signature)) return 'genuine';
	const reading = await read(context, state, now);
	if (reading !== undefined && isSignedBy(reading.secrets, rawBody, signature)) return 'genuine';
	// What was asked before this call came may be of a subscription that was replaced since.
	const isAnswered = reading !== undefined && reading.at >= now && reading.secrets.length > 0;
	return state.secret !== undefined || isAnswered ? 'refused' : 'undecided';
}

/** As `verify`, but only by what is known here; for calls that are refused anyway. */
export function isKnownSignature(context: IWebhookFunctions, rawBody: Buffer): boolean {
	const state = readState(context.getWorkflowStaticData('node'));
	return isSignedBy(activeSecrets(state, Date.now()), rawBody, context.getHeaderData()[SIGNATURE_HEADER]);
}
