import { randomUUID } from 'node:crypto';
import { deliverBytes } from '../support/fakeArgyle/deliveries.mts';
import type { Delivery, TriggerContender } from './contender.mts';

/** Argyle's, used for the events of all contenders. */
const TIMING = { timeoutMs: 10_000, retryAfterMs: 30_000 };

const NEVER_STOPPED = new AbortController().signal;

/** An event that was sent, with every attempt to deliver it; none when nobody was subscribed. */
export interface SentEvent {
	id: string;
	attempts: Awaited<ReturnType<typeof deliverBytes>>;
}

/** Sends a delivery, with its retry; resolves with all attempts. */
export async function deliver({ url, body, headers }: Delivery): Promise<SentEvent['attempts']> {
	return await deliverBytes(url, body, headers, TIMING, NEVER_STOPPED);
}

/** Sends one event. */
export async function sendEvent(contender: TriggerContender): Promise<SentEvent> {
	const id = randomUUID();
	const sending = contender.deliveriesOf(id).map(deliver);
	return { id, attempts: (await Promise.all(sending)).flat() };
}
