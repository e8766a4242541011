import type { ICredentialDataDecryptedObject, IDataObject, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { type EventMessage, SIGNATURE_HEADER, signatureOf } from '../../api/delivery';
import { ArgyleError } from '../../transport/errors';
import { type ArgyleResponse, toResponse } from '../../transport/request';
import { clock, isWithin } from '../../utils/clock';
import { Semaphore } from '../../utils/concurrency';
import { isDataObject, parseJson } from '../../utils/json';
import { PROCESS_ID } from '../state/itemOrigin';
import { derivedFrom, knownSecretsOf } from '../state/knownSecrets';
import { isSaved, readState, type SavedState, writeState } from '../state/savedState';
import { BUSY_MS, OWN_URL } from '../state/timing';
import type { Trigger } from '../state/trigger';

/** The name of the question that n8n's main process asks the process that receives deliveries. */
const QUESTION = 'n8n_nodes_argyle.received_events';

/** How many events a question names at most, the newest ones. */
const MAX_KEYS = 1_000;

interface Question {
	/** Which events, by their keys, may have been received. */
	keys: string[];
	/** The events that the asker starts now, so that no delivery starts them later. */
	claimed: string[];
	/** What is to be kept in static data. */
	state: SavedState;
}

interface Answer {
	/** Which of the events the other process has received. */
	received: string[];
	/** Whether static data has the state. */
	isSaved: boolean;
	/** Whether another process of n8n has answered, which then takes deliveries too. */
	isElsewhere: boolean;
	/** Set when n8n itself answered that it has no such webhook. */
	notRegistered?: ArgyleError;
}

const textsIn = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((text) => typeof text === 'string').slice(-MAX_KEYS) : [];

/** Resolves with undefined when there is no answer, because n8n may not reach its own address from inside. */
async function callOwnUrl(
	context: ITriggerFunctions,
	url: string,
	secret: string,
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
			timeout: OWN_URL.timeoutMs,
		})
		.catch((error: unknown) => {
			context.logger.debug(`The Argyle Trigger can't call its own address: ${String(error)}`);
		});
	return toResponse(response);
}

/** Whether the 404 is n8n's own. It may be that of a proxy that passes on Argyle's calls, but not those of this n8n. */
function saysNotRegistered(statusCode: number, answer: unknown): boolean {
	if (statusCode !== 404 || !isDataObject(answer)) return false;
	const message = String(answer.message).toLowerCase();
	return message.includes('webhook') && message.includes(' not registered');
}

const notRegisteredAt = (url: string) =>
	new ArgyleError(
		'n8n itself does not know the address of this trigger, though the workflow is published',
		`It answers calls to ${url} with 404, so events are lost, except those that Catch Up finds later. Unpublish the workflow, then publish it again.`,
	);

/**
 * One for all workflows, because all triggers look at the same time. If n8n got hundreds of calls at once, or without
 * a pause, it would answer all of them too late to save anything. It would also answer the calls of others too late.
 */
const calls = new Semaphore(1);

/**
 * Calls the trigger's URL as Argyle would, and asks which of the events were received there, because in queue mode the
 * main process learns of no delivery. The call also saves static data without harm to what other nodes keep there: n8n
 * loads it for each call, and saves it within milliseconds if no execution starts. Never throws.
 */
export async function askOwnUrl(
	context: ITriggerFunctions,
	url: string,
	credential: ICredentialDataDecryptedObject,
	{ keys, claimed, state }: Question,
): Promise<Answer> {
	const nothing = { received: [], isSaved: false, isElsewhere: false };
	const asked = keys.slice(-MAX_KEYS);
	const data = { keys: asked, claimed: claimed.filter((key) => asked.includes(key)), state: { ...state } };
	const response = await calls.runBriefly(BUSY_MS, async () => {
		const asker = { process: PROCESS_ID, at: Date.now() };
		const message = { event: QUESTION, data: { ...data, ...asker } };
		const derived = derivedFrom(credential, url);
		// To read the credential anew for this call would take n8n longer than may pass until static data is saved.
		knownSecretsOf(context, url).keepDerived(derived, Date.now());
		const called = await callOwnUrl(context, url, derived.inner, message);
		await clock.pause(OWN_URL.pauseMs);
		return called;
	});
	// If nobody answers, each execution finds out by n8n's processed values whether its event is new.
	if (response === undefined) return nothing;
	const answer = parseJson(response.body);
	if (saysNotRegistered(response.statusCode, answer)) return { ...nothing, notRegistered: notRegisteredAt(url) };
	if (!isDataObject(answer) || typeof answer.process !== 'string') {
		context.logger.debug(
			`The Argyle Trigger's own address answers ${response.statusCode} to its call, and not as it does`,
		);
		return nothing;
	}
	return {
		received: textsIn(answer.received).filter((key) => asked.includes(key)),
		isSaved: answer.isSaved === true,
		isElsewhere: answer.process !== PROCESS_ID,
	};
}

/**
 * Whether n8n has loaded static data just now, so that another node can hardly have saved it since. n8n loads it when a
 * call arrives, but a busy n8n calls the node much later. `since` is when the node was called. Only the clocks of one
 * process can be compared so closely.
 */
function isFresh({ process, at }: IDataObject, since: number, now: number): boolean {
	const freshMs = process === PROCESS_ID ? OWN_URL.freshMs : OWN_URL.validMs;
	return Math.abs(now - Number(at)) < freshMs && isWithin(OWN_URL.savesMs, since, now);
}

/**
 * Returns the answer to `askOwnUrl`, or undefined when the message is no such question, or an old one that somebody
 * sends again. `since` is when the call came.
 */
export function answerQuestion(
	context: IWebhookFunctions,
	trigger: Trigger,
	{ event, data }: EventMessage,
	since: number,
): IDataObject | undefined {
	const now = Date.now();
	if (event !== QUESTION || !(Math.abs(now - Number(data.at)) < OWN_URL.validMs)) return undefined;
	const { starts, publication } = trigger;
	// Events that the asker has only claimed were not received here. The asker starts them.
	const received = textsIn(data.keys).filter((key) => starts.hasExecution(key) && starts.get(key)?.mayHaveRun !== true);
	const claimed = publication.isWatchedHere ? [] : textsIn(data.claimed).filter((key) => !starts.hasExecution(key));
	for (const key of claimed) {
		starts.ask(key, now);
		starts.markMayHaveRun(key);
	}
	const state = readState(isDataObject(data.state) ? data.state : {});
	const staticData = context.getWorkflowStaticData('node');
	// If the call, or reading the secrets, took too long, another node may have saved meanwhile. The next look asks again.
	if (isFresh(data, since, now) && state.boundTo !== undefined) writeState(staticData, state);
	return { process: PROCESS_ID, received, isSaved: state.boundTo !== undefined && isSaved(staticData, state) };
}
