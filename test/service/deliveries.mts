import { setTimeout as wait } from 'node:timers/promises';
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

async function post(url: string, body: string, signature: string | undefined, timeoutMs: number, stopped: AbortSignal): Promise<Outcome> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			body,
			redirect: 'manual',
			signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped]),
			headers: {
				Accept: '*/*',
				'Content-Type': 'application/json',
				'User-Agent': 'ReactorNetty/1.1.28',
				...(signature === undefined ? {} : { 'X-Argyle-Signature': signature }),
			},
		});
		return { status: response.status, body: await response.text(), timedOut: false };
	} catch (error) {
		return { status: null, body: '', timedOut: error instanceof Error && error.name === 'TimeoutError' };
	}
}

/**
 * Delivers an event to one subscription as Argyle does: pretty-printed, signed when it has a secret, 10 s to answer, once more 30 s later
 * on 429, 500, 502, 503, 504 or no answer in time; any 2xx is success and no redirect is followed. Calls `onAttempt` after each try.
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
