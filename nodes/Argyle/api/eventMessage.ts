import type { IDataObject } from 'n8n-workflow';

import { ALL_EVENTS } from './events';
import { isJsonRecord, parseJson } from '../utils/json';

/** What Argyle delivers: the event's name, the subscription's name, and the ids or records of the event. */
export type EventMessage = IDataObject & { event: string; data: IDataObject };

/**
 * Takes the raw bytes of a verified delivery; gives the event message as delivered, undefined when the bytes hold
 * none. Never throws.
 */
export function readEventMessage(rawBody: Buffer): EventMessage | undefined {
	const message = parseJson(rawBody);
	return isEventMessage(message) ? message : undefined;
}

function isEventMessage(message: unknown): message is EventMessage {
	return (
		isJsonRecord(message) && typeof message.event === 'string' && message.event !== '' && isJsonRecord(message.data)
	);
}

/** Takes an event's name and what the trigger listens to; tells whether the event is among it. */
export function isSubscribed(event: string, events: unknown): boolean {
	return Array.isArray(events) && (events.includes(event) || events.includes(ALL_EVENTS));
}
