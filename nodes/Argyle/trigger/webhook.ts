import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSubscribed, parseEventMessage } from '../api/delivery';
import { isOn } from '../shared/parameters';
import { authenticate, hasKnownSignature } from './delivery/authentication';
import { deduplicationKey, DeliveryDeduplicator, isStored } from './delivery/deduplication';
import { isArgyleAddress } from './ipAllowlist';
import { includesUserForm, optionsOf } from './settings';
import { readRawBody } from './rawBody';
import { stateToSend } from './forms/bookmark';
import { submittedForm, withState } from './submittedForm';
import { answerTakenForms } from './forms/knownForms';
import { isKnownForm, triggerKey, triggerMemory } from './triggerMemory';
import { withUserForm } from './forms/completeEvent';

/** Argyle's events have a few KiB. A longer body is not read again for each secret that may have signed it. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const deduplicator = new DeliveryDeduplicator();

/** Answers without starting the workflow. */
function answer(context: IWebhookFunctions, status: number, body: string | IDataObject): IWebhookResponseData {
	context
		.getResponseObject()
		.status(status)
		.json(typeof body === 'string' ? { message: body } : body);
	return { noWebhookResponse: true };
}

/** A warning only for a genuine signature: then it is n8n's proxy setting that is wrong, not the caller. */
async function logForeignAddress(
	context: IWebhookFunctions,
	rawBody: Buffer,
	address: string | undefined,
): Promise<void> {
	if (await hasKnownSignature(context, rawBody)) {
		context.logger.warn(
			`The Argyle Trigger refused a genuine delivery, because it came from ${String(address)} and Only From Argyle is on. Behind a proxy, set N8N_PROXY_HOPS to the number of proxies in front of n8n.`,
		);
	} else context.logger.debug('The Argyle Trigger refused a call from a foreign address');
}

/**
 * Answers one incoming call as the README lists, and hands n8n the item that starts the workflow. The raw bytes are
 * authenticated before anything in them is read. Nothing is written to static data, which a parallel call could undo. A
 * form that comes twice at the same time passes twice: `startOnce` lets one of them on.
 */
export async function handleWebhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readRawBody(context);
	if (rawBody === undefined) return answer(context, 401, 'Unauthorized');
	if (rawBody.length > MAX_BODY_BYTES) return answer(context, 413, 'Larger than any event of Argyle');
	const options = optionsOf(context);
	const { ip } = context.getRequestObject();
	if (isOn(options, 'onlyFromArgyle') && !isArgyleAddress(ip)) {
		await logForeignAddress(context, rawBody, ip);
		return answer(context, 403, 'Only Argyle may call this address');
	}

	const authentication = await authenticate(context, rawBody);
	if (authentication === 'undecided') return answer(context, 503, 'Not ready yet, send again');
	if (authentication !== 'genuine') {
		context.logger.debug('The Argyle Trigger refused a call without a right signature');
		return answer(context, 401, 'Unauthorized');
	}

	const message = parseEventMessage(rawBody);
	if (message === undefined) return answer(context, 400, 'Not an Argyle event');
	const taken = answerTakenForms(context, message);
	if (taken !== undefined) return answer(context, 200, { taken });
	if (!isSubscribed(message.event, context.getNodeParameter('events')))
		return answer(context, 200, 'Event not subscribed');
	const response = context.getResponseObject();
	const memory = triggerMemory(context);
	const form = context.getMode() === 'manual' ? undefined : submittedForm(message);
	if (form !== undefined) {
		if (isKnownForm(memory, form)) return answer(context, 200, 'Already received');
		response.once('close', () => {
			if (isStored(response)) memory.forms.set(form, true);
		});
	} else if (isOn(options, 'skipDuplicates')) {
		const claim = await deduplicator.claim(
			deduplicationKey(`${triggerKey(context)} ${context.getMode()}`, message),
			response,
		);
		if (claim === 'duplicate') return answer(context, 200, 'Already received');
		if (claim === 'pending') return answer(context, 503, 'Being received, send again');
	}
	const more = includesUserForm(context) ? await withUserForm(context, message) : {};
	const item = { ...message, ...more };
	const sent = form === undefined ? item : withState(item, stateToSend(context));
	return { workflowData: [context.helpers.returnJsonArray(sent)], webhookResponse: { message: 'Received' } };
}
