import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isJsonRecord } from '../utils/json';
import { deduplicationKey, deduplicationWindowMs, DeliveryDeduplicator } from './deduplication';
import { isSubscribed, readEventMessage } from '../api/eventMessage';
import { readRawBody } from './rawBody';
import { isArgyleAddress } from './ipAllowlist';
import { withUserForm } from './userForm';
import { isKnownSignature, triggerKey, authenticate } from './authentication';

const deduplicator = new DeliveryDeduplicator();

/** Answers a call without starting the workflow. */
function answer(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Says in n8n's log why a call from a foreign address is refused; loudly only when it is signed as Argyle's are. */
function noteForeign(context: IWebhookFunctions, rawBody: Buffer, address: string | undefined): void {
	if (isKnownSignature(context, rawBody)) {
		context.logger.warn(
			`The Argyle Trigger refused a genuine delivery, because it came from ${String(address)} and Only From Argyle is on. Behind a proxy, set N8N_PROXY_HOPS to the number of proxies in front of n8n.`,
		);
	} else context.logger.debug('The Argyle Trigger refused a call from a foreign address');
}

/**
 * Takes one incoming call; answers it as the README lists, and gives n8n the item that starts the workflow:
 * the event message as delivered, with its form if that is wanted. The raw bytes are verified before anything of them is read. Nothing is written to
 * static data, which a parallel call could undo.
 */
export async function handleWebhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readRawBody(context);
	if (rawBody === undefined) return answer(context, 401, 'Unauthorized');
	const options: unknown = context.getNodeParameter('options', {});
	const { onlyFromArgyle, skipDuplicates, includeUserForm } = isJsonRecord(options) ? options : {};
	const { ip } = context.getRequestObject();
	if (onlyFromArgyle === true && !isArgyleAddress(ip)) {
		noteForeign(context, rawBody, ip);
		return answer(context, 403, 'Only Argyle may call this address');
	}

	const verdict = await authenticate(context, rawBody);
	if (verdict === 'refused') {
		context.logger.debug('The Argyle Trigger refused a call without a right signature');
		return answer(context, 401, 'Unauthorized');
	}
	if (verdict === 'undecided') return answer(context, 503, 'Not ready yet, send again');

	const message = readEventMessage(rawBody);
	if (message === undefined) return answer(context, 400, 'Not an Argyle event');
	if (!isSubscribed(message.event, context.getNodeParameter('events')))
		return answer(context, 200, 'Event not subscribed');
	if (skipDuplicates === true) {
		const key = deduplicationKey(triggerKey(context), message);
		const standing = await deduplicator.claim(key, context.getResponseObject(), deduplicationWindowMs(message));
		if (standing === 'duplicate') return answer(context, 200, 'Already received');
		if (standing === 'pending') return answer(context, 503, 'Being received, send again');
	}
	const more = includeUserForm === true ? await withUserForm(context, message) : {};
	return {
		workflowData: [context.helpers.returnJsonArray({ ...message, ...more })],
		webhookResponse: { message: 'Received' },
	};
}
