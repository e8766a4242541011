import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { eventBody, sign } from './event.mts';
import type { DeliveryAttempt, Subscription } from './types.mts';

/** The statuses after which Argyle sends once more. */
const REPEATED = new Set([429, 500, 502, 503, 504]);

/** How deliveries are timed, in milliseconds. */
export interface DeliveryTiming {
	timeoutMs: number;
	retryAfterMs: number;
}

interface Outcome {
	status: number | null;
	body: string;
	timedOut: boolean;
}

/** Makes the request with the recorded headers and no others; `fetch` would add its own and refuse some ports. */
async function send(
	url: string,
	body: string,
	signature: string | undefined,
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
				...(signature === undefined ? {} : { 'X-Argyle-Signature': signature }),
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
	signature: string | undefined,
	timeoutMs: number,
	stopped: AbortSignal,
): Promise<Outcome> {
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		const response = await send(url, body, signature, AbortSignal.any([timeout, stopped]));
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
	for (const isRepeat of [false, true]) {
		if (isRepeat) await wait(timing.retryAfterMs, undefined, { signal: stopped }).catch(() => undefined);
		if (stopped.aborted) return;
		const outcome = await post(url, body, secret === null ? undefined : sign(body, secret), timing.timeoutMs, stopped);
		const at = Date.now();
		subscription.last_sent_at = subscription.updated_at = new Date(at).toISOString();
		onAttempt({ subscriptionId, url, event, status: outcome.status, body: outcome.body, at });
		const isRepeated = outcome.status === null ? outcome.timedOut : REPEATED.has(outcome.status);
		if (!isRepeated) return;
	}
}

/** Tells whether a subscription receives an event: `*` stands for all but those of Items (Argyle's webhook guide). */
export function receives({ events }: Subscription, event: string): boolean {
	return events.includes(event) || (events.includes('*') && !event.startsWith('items.'));
}
