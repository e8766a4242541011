import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Assumed } from './assumed.mts';
import type { FakeArgyle } from './index.mts';
import { noteSending } from './lastSent.mts';
import { resourceOf } from './resourceOfEvent.mts';
import { eventBody, sign } from './signedEvent.mts';
import type { DeliveryAttempt, Subscription } from './types.mts';

/** The statuses after which Argyle retries. */
const RETRIED = new Set([429, 500, 502, 503, 504]);

interface DeliveryTiming {
	timeoutMs: number;
	/** Between the first attempt and the one retry. */
	retryAfterMs: number;
}

interface DeliveryRules {
	/** After these statuses it is sent once more. */
	retried: ReadonlySet<number>;
	followsRedirects: boolean;
}

type Attempt = Pick<DeliveryAttempt, 'status' | 'body' | 'at'>;

const isTaken = ({ status }: Attempt) => status !== null && status < 300;

interface Outcome {
	status: number | null;
	body: string;
	timedOut: boolean;
	location?: string;
}

/** Sends the recorded headers and no others. `fetch` would add its own, and refuses some ports. */
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
			// A new connection each: the receiver may just be closing one that was kept from an earlier delivery.
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
	signal: AbortSignal,
): Promise<Outcome> {
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		const response = await send(url, body, headers, AbortSignal.any([timeout, signal]));
		const { statusCode, headers: received } = response;
		const location = statusCode !== undefined && statusCode >= 300 && statusCode < 400 ? received.location : undefined;
		return { status: statusCode ?? null, body: await readText(response), timedOut: false, location };
	} catch {
		return { status: null, body: '', timedOut: timeout.aborted };
	}
}

/** Delivers an event to one subscription, signed if that has a secret. Calls `onAttempt` after each attempt. */
async function deliverTo(
	subscription: Subscription,
	event: string,
	data: Record<string, unknown>,
	timing: DeliveryTiming,
	signal: AbortSignal,
	onAttempt: (attempt: Attempt) => void,
	assumed: Assumed,
): Promise<void> {
	const { url, name, secret } = subscription;
	const isIndented = assumed.indentation === 'indented by two blanks';
	const body = isIndented ? eventBody(event, name, data) : JSON.stringify({ event, name, data });
	const isSigned = secret !== null || assumed.signatureWithoutSecret === 'yes';
	const signed = assumed.signature === 'something else' ? body + name : body;
	const headers: Record<string, string> = {
		...(isSigned ? { 'X-Argyle-Signature': sign(signed, secret ?? '') } : {}),
		...(assumed.deliveryHeaders === 'yes' ? { 'X-Argyle-Delivery-Id': randomUUID() } : {}),
	};
	const rules = {
		retried: new Set([...RETRIED].filter((status) => status !== 503 || assumed.retryAfter503 !== 'nothing')),
		followsRedirects: assumed.redirectOfDelivery === 'yes',
	};
	if (assumed.retryAfter401 !== 'nothing') rules.retried.add(401);
	await deliverBytes(url, body, headers, timing, signal, rules, onAttempt);
}

/**
 * Delivers as Argyle does: follows no redirect, and retries once, after a time-out or one of five statuses. A failed
 * connection is not retried.
 */
export async function deliverBytes(
	url: string,
	body: string,
	headers: Record<string, string>,
	timing: DeliveryTiming,
	signal: AbortSignal,
	rules: DeliveryRules = { retried: RETRIED, followsRedirects: false },
	onAttempt: (attempt: Attempt) => void = () => {},
): Promise<Attempt[]> {
	const attempts: Attempt[] = [];
	for (const isRetry of [false, true]) {
		if (isRetry) await wait(timing.retryAfterMs, undefined, { signal }).catch(() => undefined);
		if (signal.aborted) break;
		const at = Date.now();
		const { timedOut, location, ...response } = await post(url, body, headers, timing.timeoutMs, signal);
		if (location !== undefined && rules.followsRedirects)
			await post(new URL(location, url).href, body, headers, timing.timeoutMs, signal);
		const attempt = { ...response, at };
		attempts.push(attempt);
		onAttempt(attempt);
		const isRetryable = response.status === null ? timedOut : rules.retried.has(response.status);
		if (!isRetryable) break;
	}
	return attempts;
}

/** `*` means all events but those of Items (Argyle's webhook guide). */
export function receives({ events }: Subscription, event: string): boolean {
	return events.includes(event) || (events.includes('*') && !event.startsWith('items.'));
}

/** Delivers an event to all its subscriptions at the same time, and records each attempt when it has ended. */
export async function deliverToAll(
	argyle: FakeArgyle,
	event: string,
	data: Record<string, unknown>,
	timing: DeliveryTiming & { minuteMs: number },
	signal: AbortSignal,
): Promise<DeliveryAttempt[]> {
	const { subscriptions, deliveries, assumed, records, clockOffsetMs } = argyle;
	const attempts: DeliveryAttempt[] = [];
	const targets = [...subscriptions.values()].filter((subscription) => receives(subscription, event));
	const deliver = async (target: Subscription) => {
		const { url, config } = target;
		const record = (attempt: Attempt) => {
			const times = { at: attempt.at, clockOffsetMs, minuteMs: timing.minuteMs };
			noteSending(target, isTaken(attempt), times, assumed);
			const recorded = { url, event, ...attempt };
			attempts.push(recorded);
			deliveries.push(recorded);
		};
		const sent = { ...data, ...resourceOf(records, event, data, config) };
		await deliverTo(target, event, sent, timing, signal, record, assumed);
	};
	await Promise.all(targets.map(deliver));
	return attempts;
}
