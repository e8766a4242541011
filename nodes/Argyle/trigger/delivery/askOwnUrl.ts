import type { IDataObject, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { type EventMessage, SIGNATURE_HEADER, signatureOf } from '../../api/delivery';
import { ArgyleError } from '../../transport/errors';
import { type ArgyleResponse, toResponse } from '../../transport/request';
import { clock, isWithin } from '../../utils/clock';
import { KeyedMutex, Semaphore } from '../../utils/concurrency';
import { isDataObject, parseJson } from '../../utils/json';
import { LruMap } from '../../utils/lruMap';
import { PROCESS_ID } from '../state/origin';
import { isSaved, readState, type SavedState, stateToSave, writeState } from '../state/staticData';
import { BUSY_MS, FASTEST_MS, ON_ITS_WAY_MS, OWN_URL_MS, OWN_URL_PAUSE_MS, SAVE_MS } from '../state/timing';
import type { Trigger } from '../state/trigger';

/**
 * The name of the question that n8n's main process asks the process that receives deliveries. Argyle has no such event.
 */
const QUESTION = 'n8n_nodes_argyle.received_events';

/** Where the trigger receives deliveries, and what signs them. */
interface OwnUrl {
	url: string;
	secret: string;
}

/** How many events one question names at most. */
const MAX_KEYS = 1_000;

interface Question {
	/** Which events, by their keys, may have been received. */
	keys: string[];
	/** The events that the asker starts now, so that no delivery starts them later. */
	taken: string[];
	/** What is to be kept in static data. */
	state: SavedState;
}

interface Answer {
	/** Whether the trigger itself has answered, and not a proxy, or nobody. */
	isAnswered: boolean;
	/** Which of the events the other process has received. */
	received: string[];
	/** Whether static data has the state. */
	isSaved: boolean;
	/** Whether another process of n8n has answered, which then takes deliveries too. */
	isElsewhere?: boolean;
	/** `runningAt` of the state that static data had before. */
	keptAt?: number;
	/** Set when n8n itself answered that it has no such webhook. */
	notRegistered?: ArgyleError;
}

const textsIn = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

/** Resolves with undefined when there is no answer, because n8n may not reach its own address from inside. */
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
 * By workflow: n8n saves static data as a whole, so two triggers of one workflow that call at once would undo what the
 * other saves.
 */
const turns = new KeyedMutex();

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
	own: OwnUrl,
	{ keys, taken, state }: Question,
): Promise<Answer> {
	const total: Answer = { isAnswered: false, received: [], isSaved: false };
	for (let asked = 0; asked === 0 || asked < keys.length; asked += MAX_KEYS) {
		const batch = keys.slice(asked, asked + MAX_KEYS);
		const data = { keys: batch, taken: taken.filter((key) => batch.includes(key)), state: stateToSave(state) };
		const call = async () => {
			const asker = { process: PROCESS_ID, askedAt: clock.uptime() };
			const response = await callOwnUrl(context, own, { event: QUESTION, data: { ...data, ...asker } });
			await clock.pause(OWN_URL_PAUSE_MS);
			return response;
		};
		const inTurn = async () => await calls.runBriefly(BUSY_MS, call);
		const response = await turns.run(String(context.getWorkflow().id), inTurn);
		// If nobody answers, each execution finds out by n8n's processed values whether its event is new.
		if (response === undefined) break;
		const answer = parseJson(response.body);
		if (saysNotRegistered(response.statusCode, answer)) return { ...total, notRegistered: notRegisteredAt(own.url) };
		if (!isDataObject(answer)) break;
		total.received.push(...textsIn(answer.received).filter((key) => batch.includes(key)));
		if (asked === 0 && typeof answer.keptAt === 'number') total.keptAt = answer.keptAt;
		total.isAnswered = typeof answer.process === 'string';
		if (total.isAnswered && answer.process !== PROCESS_ID) total.isElsewhere = true;
		total.isSaved ||= answer.isSaved === true;
	}
	return total;
}

/**
 * By process that asks: how long its fastest question took to come here, and when it came. Both are measured with the
 * uptimes of the processes, because a clock can be set. The uptimes of two processes differ by a constant.
 */
const fastest = new LruMap<{ tookMs: number; at: number }>();

/**
 * Whether n8n has loaded static data just now, so that another node can hardly have saved it since. n8n loads static
 * data when a call arrives, but a busy n8n calls the node much later. So the question must have come about as quickly
 * as the fastest one of the same process. Only the difference counts, because the own URL may lead over a slow network.
 * `since` is when the node was called.
 */
function isFresh({ process, askedAt }: IDataObject, since: number, now: number): boolean {
	const asker = String(process);
	const uptime = clock.uptime();
	const tookMs = uptime - Number(askedAt);
	if (Number.isNaN(tookMs)) return false;
	const last = fastest.get(asker);
	const keptMs = asker === PROCESS_ID ? FASTEST_MS.own : FASTEST_MS.other;
	const isKnown = last !== undefined && isWithin(keptMs, last.at, uptime);
	if (!isKnown || tookMs < last.tookMs) fastest.set(asker, { tookMs, at: uptime });
	return isKnown && tookMs < last.tookMs + ON_ITS_WAY_MS && isWithin(SAVE_MS, since, now);
}

/**
 * Returns the answer to `askOwnUrl`, or undefined when the message is no such question. `since` is when the call came.
 */
export function answerQuestion(
	context: IWebhookFunctions,
	trigger: Trigger,
	{ event, data }: EventMessage,
	since: number,
): (Omit<Answer, 'isAnswered' | 'notRegistered' | 'isElsewhere'> & IDataObject) | undefined {
	if (event !== QUESTION) return undefined;
	const now = Date.now();
	const { starts, publication } = trigger;
	// Events that this process has only noted as `taken` were not received here. The asker starts them.
	const received = textsIn(data.keys).filter((key) => starts.isTaken(key) && !starts.isReceived(key));
	const taken = publication.isWatchedHere ? [] : textsIn(data.taken).filter((key) => !starts.isTaken(key));
	for (const key of taken) {
		starts.ask(key, now);
		starts.noteReceived(key);
	}
	const state = readState(isDataObject(data.state) ? data.state : {});
	const staticData = context.getWorkflowStaticData('node');
	const { runningAt: keptAt } = readState(staticData);
	// If the call, or reading the secrets, took too long, another node may have saved meanwhile. Then the asker asks
	// again.
	if (isFresh(data, since, now)) writeState(staticData, state);
	return {
		process: PROCESS_ID,
		received,
		isSaved: isSaved(staticData, state),
		...(keptAt !== undefined && { keptAt }),
	};
}
