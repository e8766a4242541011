import type { IDataObject } from 'n8n-workflow';

import { isDataObject, parseJson } from '../utils/json';
import { ALL_EVENTS, eventNames } from './events';

/** What Argyle delivers: the event's name, the subscription's name, and the ids or records of the event. */
export type EventMessage = IDataObject & { event: string; data: IDataObject };

/** The event message in the body of a delivery, undefined when the body is none. Never throws. */
export function parseEventMessage(rawBody: Buffer): EventMessage | undefined {
	const message = parseJson(rawBody);
	return isEventMessage(message) ? message : undefined;
}

export function isEventMessage(message: unknown): message is EventMessage {
	return (
		isDataObject(message) && typeof message.event === 'string' && message.event !== '' && isDataObject(message.data)
	);
}

/** `events` are the trigger's, as saved or as its expression gives them. */
export function isSubscribed(event: string, events: unknown): boolean {
	const names = eventNames(events);
	return names.includes(event) || names.includes(ALL_EVENTS);
}
