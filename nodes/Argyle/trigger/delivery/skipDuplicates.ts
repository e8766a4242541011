import { createHash } from 'node:crypto';

import type { EventMessage } from '../../api/delivery';
import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { DUPLICATE_MS } from '../state/timing';

/**
 * Returns a text that is equal for every delivery of one event. Argyle sends no delivery ID, so all the event's data
 * make the text. It leaves out the subscription's name, because an event can come through an old and a new
 * subscription.
 */
export function repetitionKey(trigger: string, { event, data }: EventMessage): string {
	return createHash('sha256')
		.update(JSON.stringify([trigger, event, data]))
		.digest('base64');
}

/** When each event came, in milliseconds since 1970: Skip Duplicates refuses an equal one for two minutes. */
const seenEvents = new LruMap<number>();

/** Returns false when an equal event came in the last two minutes. */
export function addEvent(key: string): boolean {
	const now = Date.now();
	const seenAt = seenEvents.get(key);
	if (seenAt !== undefined && isWithin(DUPLICATE_MS, seenAt, now)) return false;
	seenEvents.set(key, now);
	return true;
}

/** Forgets an event that n8n could not store, so that it counts as new when it comes again. */
export function forgetEvent(key: string): void {
	seenEvents.delete(key);
}
