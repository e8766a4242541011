import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSubscribed, readEventMessage } from './eventMessage';
import { askForSecrets, SecretReadings } from './lostSecret';
import { isSignature, isSignedByOneOf, SIGNATURE_HEADER } from './signature';
import { readState, secretsInForce, type TriggerState } from './state';

/** Whether a call is genuine: yes, no, or not to be told yet. */
type Verdict = 'genuine' | 'refused' | 'unknown';

const readings = new SecretReadings();

/** Answers a call without starting the workflow. */
function answer(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/**
 * With no secret at hand (static data lost, or a delivery that came before its registration was stored) the service
 * is asked for it, seldom.
 */
async function verdictOfService(
	context: IWebhookFunctions,
	state: TriggerState,
	rawBody: Buffer,
	signature: string,
): Promise<Verdict> {
	const key = `${context.getWorkflow().id} ${context.getNode().id} ${context.getMode()}`;
	const now = Date.now();
	const last = readings.last(key, now);
	if (last !== undefined && isSignedByOneOf(last.secrets, rawBody, signature)) return 'genuine';
	const reading = await readings
		.fresh(key, now, async () => await askForSecrets(context, state))
		.catch((error: unknown) => {
			context.logger.warn(
				'The Argyle Trigger has no secret and could not ask Argyle for it; the delivery is refused for now',
				{ reason: String(error) },
			);
			return undefined;
		});
	if (reading === undefined || reading.secrets.length === 0) return 'unknown';
	return isSignedByOneOf(reading.secrets, rawBody, signature) ? 'genuine' : 'refused';
}

async function verify(context: IWebhookFunctions, rawBody: unknown): Promise<Verdict> {
	const signature: unknown = context.getHeaderData()[SIGNATURE_HEADER];
	if (!Buffer.isBuffer(rawBody) || !isSignature(signature)) return 'refused';
	const state = readState(context.getWorkflowStaticData('node'));
	if (isSignedByOneOf(secretsInForce(state, Date.now()), rawBody, signature)) return 'genuine';
	return state.secret === undefined ? await verdictOfService(context, state, rawBody, signature) : 'refused';
}

/**
 * Takes one incoming call; answers it as the README lists, and gives n8n the item that starts the workflow:
 * the event message as delivered. The raw bytes are verified before anything of them is read. Nothing is written to
 * static data, which a parallel call could undo.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { rawBody } = context.getRequestObject();
	const verdict = await verify(context, rawBody);
	if (verdict === 'refused') {
		context.logger.debug('The Argyle Trigger refused a call without a right signature');
		return answer(context, 401, 'Unauthorized');
	}
	if (verdict === 'unknown') return answer(context, 503, 'Not ready yet, send again');

	const message = readEventMessage(rawBody);
	if (message === undefined) return answer(context, 400, 'Not an Argyle event');
	if (!isSubscribed(message.event, context.getNodeParameter('events')))
		return answer(context, 200, 'Event not subscribed');
	return {
		workflowData: [context.helpers.returnJsonArray(message)],
		webhookResponse: { message: 'Received' },
	};
}
