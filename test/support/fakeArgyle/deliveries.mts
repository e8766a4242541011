import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { eventBody, sign } from './signedEvent.mts';
import type { DeliveryAttempt, Subscription } from './types.mts';

/** The statuses after which Argyle sends once more. */
const REPEATED = new Set([429, 500, 502, 503, 504]);

/** How deliveries are timed, in milliseconds. */
export interface DeliveryTiming {
	timeoutMs: number;
	retryAfterMs: number;
}

/** One try to deliver, to whomever. */
type Attempt = Pick<DeliveryAttempt, 'status' | 'body' | 'at'>;

interface Outcome {
	status: number | null;
	body: string;
	timedOut: boolean;
}

/** Makes the request with the recorded headers and no others; `fetch` would add its own and refuse some ports. */
async function send(
	url: string,
	body: string,
	headers: Record<string, string>,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
	return await new Promise((resolve, reject) => {
		const outgoing = request(url, {
			method: 'POST',
			// A connection of its own: one kept from an earlier delivery may be closed just then by the receiver.
			agent: false,
			signal,
			headers: {
				Accept: '*/*',
				'Accept-Encoding': 'gzip',
				'Content-Type': 'application/json',
				'User-Agent': 'ReactorNetty/1.1.28',
				...headers,
			},
		});
		outgoing.removeHeader('Connection');
		outgoing.on('response', resolve).on('error', reject).end(body);
	});
}

async function readText(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(Buffer.from(chunk));
	const bytes = Buffer.concat(chunks);
	return (response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

async function post(
	url: string,
	body: string,
	headers: Record<string, string>,
	timeoutMs: number,
	stopped: AbortSignal,
): Promise<Outcome> {
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		const response = await send(url, body, headers, AbortSignal.any([timeout, stopped]));
		return { status: response.statusCode ?? null, body: await readText(response), timedOut: false };
	} catch {
		return { status: null, body: '', timedOut: timeout.aborted };
	}
}

/**
 * Delivers an event to one subscription as Argyle does: pretty-printed, signed when it has a secret, 10 s to answer,
 * once more 30 s later on 429, 500, 502, 503, 504 or no answer in time; any 2xx is success and no redirect is
 * followed. Calls `onAttempt` after each try.
 */
export async function deliverTo(
	subscription: Subscription,
	event: string,
	data: Record<string, unknown>,
	timing: DeliveryTiming,
	stopped: AbortSignal,
	onAttempt: (attempt: DeliveryAttempt) => void,
): Promise<void> {
	const { id: subscriptionId, url, name, secret } = subscription;
	const body = eventBody(event, name, data);
	const headers: Record<string, string> = secret === null ? {} : { 'X-Argyle-Signature': sign(body, secret) };
	await deliverBytes(url, body, headers, timing, stopped, (attempt) => {
		subscription.last_sent_at = subscription.updated_at = new Date(attempt.at).toISOString();
		onAttempt({ subscriptionId, url, event, ...attempt });
	});
}

/** Sends bytes to an address under the same rule; calls `onAttempt` after each try, and gives all of them. */
export async function deliverBytes(
	url: string,
	body: string,
	headers: Record<string, string>,
	timing: DeliveryTiming,
	stopped: AbortSignal,
	onAttempt: (attempt: Attempt) => void = () => {},
): Promise<Attempt[]> {
	const attempts: Attempt[] = [];
	for (const isRepeat of [false, true]) {
		if (isRepeat) await wait(timing.retryAfterMs, undefined, { signal: stopped }).catch(() => undefined);
		if (stopped.aborted) break;
		const { timedOut, ...answer } = await post(url, body, headers, timing.timeoutMs, stopped);
		const attempt = { ...answer, at: Date.now() };
		attempts.push(attempt);
		onAttempt(attempt);
		const isRepeated = answer.status === null ? timedOut : REPEATED.has(answer.status);
		if (!isRepeated) break;
	}
	return attempts;
}

/** Tells whether a subscription receives an event: `*` stands for all but those of Items (Argyle's webhook guide). */
export function receives({ events }: Subscription, event: string): boolean {
	return events.includes(event) || (events.includes('*') && !event.startsWith('items.'));
}
