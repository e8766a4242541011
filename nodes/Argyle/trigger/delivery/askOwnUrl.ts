import type { IDataObject, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { type EventMessage, SIGNATURE_HEADER, signatureOf } from '../../api/delivery';
import { ArgyleError } from '../../transport/errors';
import { type ArgyleResponse, toResponse } from '../../transport/request';
import { isDataObject, parseJson } from '../../utils/json';
import { furthest } from '../state/bookmark';
import { readState, writeState } from '../state/staticData';
import { OWN_URL_MS } from '../state/timing';
import { triggerMemory, watchesHere } from '../state/triggerMemory';

/** No event of Argyle's: by it n8n's main process asks the process that receives deliveries. */
const QUESTION = 'n8n_nodes_argyle.received_forms';

/** Where the trigger receives deliveries, and what signs them. */
interface OwnUrl {
	url: string;
	secret: string;
}

/** The most that one question names. */
const MAX_FORMS = 1_000;

interface Answer {
	/** Those of the forms that the other process has received. */
	received: string[];
	/** Set when n8n itself answered that it has no such webhook. */
	notRegistered?: ArgyleError;
}

const textsIn = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

/** The route may not be open from inside. Resolves with undefined when there is no answer. */
async function callOwnUrl(
	context: ITriggerFunctions,
	{ url, secret }: OwnUrl,
	message: IDataObject,
): Promise<ArgyleResponse | undefined> {
	const body = JSON.stringify(message);
	const response: unknown = await context.helpers
		.httpRequest({
			method: 'POST',
			url,
			body,
			headers: { 'Content-Type': 'application/json', [SIGNATURE_HEADER]: signatureOf(secret, body) },
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: OWN_URL_MS,
		})
		.catch(() => undefined);
	return toResponse(response);
}

/** Whether n8n itself says so: a proxy may answer 404 only to calls from where this n8n is. */
function saysNotRegistered(statusCode: number, answer: unknown): boolean {
	if (statusCode !== 404 || !isDataObject(answer)) return false;
	const message = String(answer.message).toLowerCase();
	return message.includes('webhook') && message.includes(' not registered');
}

const notRegisteredAt = (url: string) =>
	new ArgyleError(
		'n8n itself does not know the address of this trigger, though the workflow is published',
		`It answers calls to ${url} with 404, so events are lost; submitted forms are caught up. Unpublish the workflow, then publish it again.`,
	);

/**
 * Asks, as Argyle would call, which of the forms were received there: in queue mode, the main process learns of no
 * delivery. The other process learns the bookmark by it. Never throws.
 */
export async function askOwnUrl(context: ITriggerFunctions, own: OwnUrl, forms: string[]): Promise<Answer> {
	const { registered, bookmark } = triggerMemory(context);
	const state: IDataObject = {};
	writeState(state, { registered, bookmark, startedForms: [] });
	const received: string[] = [];
	for (let asked = 0; asked === 0 || asked < forms.length; asked += MAX_FORMS) {
		const batch = forms.slice(asked, asked + MAX_FORMS);
		const data = { forms: batch, state };
		const response = await callOwnUrl(context, own, { event: QUESTION, data });
		// Where nobody answers, the execution of each form finds out.
		if (response === undefined) break;
		const answer = parseJson(response.body);
		if (saysNotRegistered(response.statusCode, answer)) {
			return { received, notRegistered: notRegisteredAt(own.url) };
		}
		if (isDataObject(answer)) received.push(...textsIn(answer.received).filter((form) => batch.includes(form)));
	}
	return { received };
}

/** The answer to `askOwnUrl`, undefined when the message is no such question. */
export function answerQuestion(context: IWebhookFunctions, { event, data }: EventMessage): string[] | undefined {
	if (event !== QUESTION) return undefined;
	const memory = triggerMemory(context);
	const asked = readState(isDataObject(data.state) ? data.state : {}).bookmark;
	if (!watchesHere(memory)) memory.bookmark = furthest(memory.bookmark, asked);
	const started = new Set(readState(context.getWorkflowStaticData('node')).startedForms);
	return textsIn(data.forms).filter((form) => started.has(form) || memory.forms.has(form));
}
