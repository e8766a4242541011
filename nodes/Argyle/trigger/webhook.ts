import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { eventsIn } from '../api/connectionLost';
import { type EventMessage, isArgyleAddress, isSubscribed, parseEventMessage } from '../api/delivery';
import { CONNECTION_LOST, subscribedNames } from '../api/events';
import { needsRecordForKey, keyOfEvent } from '../api/eventSources';
import { isOn } from '../shared/parameters';
import { answerQuestion } from './delivery/askOwnUrl';
import { authenticate } from './delivery/authentication';
import { repetitionKey, forgetEvent, addEvent } from './delivery/skipDuplicates';
import { withOrigin } from './state/itemOrigin';
import { readSettings, startsOnce, type TriggerSettings, wantsOnlyRefreshed } from './state/settings';
import { ANSWER_MS, LOSS_AGE } from './state/timing';
import { Trigger } from './state/trigger';

/** Argyle's events have a few KiB. A longer body is refused, because each known secret is tried on the whole body. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** What n8n adds to an incoming request. */
interface RawRequest {
	rawBody?: unknown;
	readRawBody?: () => Promise<void>;
}

/**
 * The bytes of an incoming call, undefined when n8n has none. If n8n can't parse a body, it reads it only when a
 * trigger of version 2 asks for it. A multipart form is not available as bytes at all (n8n's body-parser.js).
 */
async function readRawBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request: RawRequest = context.getRequestObject();
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => undefined);
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** Answers without starting the workflow. */
function answer(context: IWebhookFunctions, status: number, body: string | IDataObject): IWebhookResponseData {
	context
		.getResponseObject()
		.status(status)
		.json(typeof body === 'string' ? { message: body } : body);
	return { noWebhookResponse: true };
}

/**
 * Runs `callback` once the incoming call is over. `isAccepted` says whether n8n took the call, even if the caller did
 * not hear the answer. It is undefined if the caller left before n8n answered, for example because a limit on
 * executions kept n8n waiting.
 */
function onAnswered(context: IWebhookFunctions, callback: (isAccepted: boolean | undefined) => void): void {
	const response = context.getResponseObject();
	response.once('close', () => callback(response.writableEnded ? response.statusCode < 300 : undefined));
}

/**
 * Answers one incoming call as docs/troubleshooting.md lists, and hands n8n the items that start the workflow. The raw
 * bytes are authenticated before anything in them is read. An event that comes twice at the same time gets two
 * executions. If the event has a key, `runExecution` lets only one go on. It also adds what the event lacks.
 */
export async function handleWebhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const receivedAt = Date.now();
	const deadline = receivedAt + ANSWER_MS;
	const trigger = Trigger.of(context);
	const rawBody = await readRawBody(context);
	if (rawBody === undefined) return answer(context, 401, 'Unauthorized');
	if (rawBody.length > MAX_BODY_BYTES) return answer(context, 413, 'Larger than any event of Argyle');

	const sender = await authenticate(context, trigger, rawBody, deadline);
	if (sender === 'undecided') return answer(context, 503, 'Not ready yet, send again');
	const message = sender === 'refused' ? undefined : parseEventMessage(rawBody);
	const answerToQuestion =
		sender === 'inner' && message !== undefined ? answerQuestion(context, trigger, message, receivedAt) : undefined;
	if (answerToQuestion !== undefined) return answer(context, 200, answerToQuestion);
	if (sender !== 'genuine') {
		context.logger.debug('The Argyle Trigger refused a call whose signature is missing or wrong');
		return answer(context, 401, 'Unauthorized');
	}
	const settings = readSettings(context);
	const { ip } = context.getRequestObject();
	if (isOn(settings.options, 'onlyFromArgyle') && !isArgyleAddress(ip)) {
		context.logger.warn(
			`The Argyle Trigger refused a genuine delivery, because it came from ${String(ip)} and Only From Argyle is on. Behind a proxy, set N8N_PROXY_HOPS to the number of proxies in front of n8n.`,
		);
		return answer(context, 403, 'Only Argyle may call this address');
	}
	if (message === undefined) return answer(context, 400, 'Not an Argyle event');
	const isTest = context.getMode() === 'manual';
	onAnswered(context, (isAccepted) => {
		// The call came here, so it was not lost on its way.
		if (isAccepted !== false && !isTest) trigger.witness.onCall(receivedAt);
	});
	if (!isSubscribed(message.event, subscribedNames(settings.events)))
		return answer(context, 200, 'Event not subscribed');
	const includesResource = isOn(settings.options, 'includeResource');
	const onlyRefreshed = wantsOnlyRefreshed(settings.options);
	const events = eventsIn(message, settings.events, { includesResource, onlyRefreshed }).filter(
		(event) => !isEarlierLoss(context, trigger, event),
	);
	if (events.length === 0) return answer(context, 200, 'No connection was lost');
	const accepted = events.map((event) => accept(context, trigger, event, settings, receivedAt));
	const items = accepted.filter((item) => item !== undefined);
	if (items.length === 0) return answer(context, 200, 'Already received');
	// n8n's `returnJsonArray` would take a message with a field `json` for an item, whose `binary` may name any file.
	return { workflowData: [items.map((json) => ({ json }))], webhookResponse: { message: 'Received' } };
}

/**
 * Whether the connection was lost before the workflow wanted such events: each refresh of the account reports the loss
 * again.
 */
function isEarlierLoss(context: IWebhookFunctions, trigger: Trigger, { event, data }: EventMessage): boolean {
	// A person who listens for a test event wants to see one, however old it is.
	if (event !== CONNECTION_LOST.name || context.getMode() === 'manual') return false;
	const since = trigger.sinceOf(context, event) ?? Date.now() - LOSS_AGE.freshMs;
	// n8n's processed values lose this event when 2,000 others have come, but each refresh reports the loss again.
	return Date.parse(String(data.lost_at)) < Math.max(since, Date.now() - LOSS_AGE.refreshedMs);
}

/** Returns the item that starts the workflow for an event, undefined if the event came before. */
function accept(
	context: IWebhookFunctions,
	trigger: Trigger,
	message: EventMessage,
	settings: TriggerSettings,
	receivedAt: number,
): IDataObject | undefined {
	const { starts } = trigger;
	const isOnce = context.getMode() !== 'manual' && startsOnce(message.event, settings);
	const startKey = isOnce ? keyOfEvent(message) : undefined;
	if (startKey !== undefined) {
		if (starts.hasExecution(startKey)) return undefined;
		onAnswered(context, (isStored) => {
			if (isStored === true) starts.ask(startKey, Date.now());
		});
	} else if (isOn(settings.options, 'skipDuplicates')) {
		const key = repetitionKey(`${trigger.key} ${context.getMode()}`, message);
		if (!addEvent(key)) return undefined;
		onAnswered(context, (isStored) => {
			if (isStored === false) forgetEvent(key);
		});
	}
	const isMarked = startKey !== undefined || (isOnce && needsRecordForKey(message));
	return isMarked ? withOrigin(message, { at: receivedAt }) : message;
}
