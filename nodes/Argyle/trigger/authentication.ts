import type { IWebhookFunctions } from 'n8n-workflow';

import { isSignedBy, parseSignature, SIGNATURE_HEADER } from '../api/signature';
import {
	type CachedSecrets,
	LOOKUP_INTERVAL_MS,
	lookUpSecrets,
	RECHECK_INTERVAL_MS,
	SecretCache,
} from './secretLookup';
import { activeSecrets, readState, type TriggerState } from './staticData';

const secretCache = new SecretCache();

/** Tells this trigger, listening for test events or not, from all others. */
export function triggerKey(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id} ${context.getMode()}`;
}

/** Resolves with undefined when the service can't be asked. */
async function refreshSecrets(
	context: IWebhookFunctions,
	state: TriggerState,
	now: number,
): Promise<CachedSecrets | undefined> {
	const lookUp = async () => await lookUpSecrets(context, state);
	const intervalMs = state.secret === undefined ? LOOKUP_INTERVAL_MS : RECHECK_INTERVAL_MS;
	return await secretCache.refresh(triggerKey(context), now, lookUp, intervalMs).catch((error: unknown) => {
		context.logger.warn('The Argyle Trigger could not ask Argyle for its secret; the delivery is refused for now', {
			reason: String(error),
		});
		return undefined;
	});
}

/**
 * Whether Argyle sent exactly these bytes. When no known secret signed them, the service is asked, seldom: static data
 * can be lost, be overwritten by an older execution's, or not be stored yet. Undecided when nothing can be known for
 * now.
 */
export async function authenticate(
	context: IWebhookFunctions,
	rawBody: Buffer,
): Promise<'genuine' | 'refused' | 'undecided'> {
	const signature = parseSignature(context.getHeaderData()[SIGNATURE_HEADER]);
	if (signature === undefined) return 'refused';
	const now = Date.now();
	const state = readState(context.getWorkflowStaticData('node'));
	const isGenuine = (secrets: string[] = []) => isSignedBy(secrets, rawBody, signature);
	if (isGenuine(activeSecrets(state, now))) return 'genuine';
	if (isGenuine(secretCache.get(triggerKey(context), now)?.secrets)) return 'genuine';
	const refreshed = await refreshSecrets(context, state, now);
	if (isGenuine(refreshed?.secrets)) return 'genuine';
	// A lookup from before this call may be of a subscription that was replaced since.
	const isCurrent = refreshed !== undefined && refreshed.at >= now && refreshed.secrets.length > 0;
	return state.secret !== undefined || isCurrent ? 'refused' : 'undecided';
}

/** As `authenticate`, but without a request; for calls that are refused anyway. */
export function hasKnownSignature(context: IWebhookFunctions, rawBody: Buffer): boolean {
	const signature = parseSignature(context.getHeaderData()[SIGNATURE_HEADER]);
	const state = readState(context.getWorkflowStaticData('node'));
	return signature !== undefined && isSignedBy(activeSecrets(state, Date.now()), rawBody, signature);
}
