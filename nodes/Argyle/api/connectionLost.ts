import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';
import type { EventMessage } from './delivery';
import { ACCOUNT_UPDATED, choosesConnectionLost, CONNECTION_LOST, eventNames, takesResource } from './events';

const objectIn = (value: unknown): IDataObject => (isDataObject(value) ? value : {});

/** As Argyle's filter of accounts has it: `enabled`, `disabled` or `idle`. Null if the account does not tell. */
const refreshStatusOf = ({ ongoing_refresh: refresh }: IDataObject) => objectIn(refresh).status ?? null;

/**
 * Whether an account was never connected. If so, an error of its connection is a failed login, and not a lost
 * connection. Argyle's OpenAPI file says that `idle` means this. But a recorded account was `idle` although it had just
 * connected, so `scanned_at` has to agree. In an account that was never connected, `scanned_at` is 1970 or missing
 * (OpenAPI file).
 */
export const isNeverConnected = (account: IDataObject) =>
	refreshStatusOf(account) === 'idle' && !(Date.parse(String(account.scanned_at)) > 0);

/** Whether Argyle refreshes the account no more. An account that does not tell counts as refreshed. */
export const isRefreshOver = (account: IDataObject) => refreshStatusOf(account) === 'disabled';

/** Returns what the event of a lost connection says, from the account. */
export function lossIn(account: IDataObject): IDataObject {
	const { error_code: code, error_message: words, updated_at: lostAt } = objectIn(account.connection);
	return {
		error_code: code,
		error_message: words ?? String(code).replaceAll('_', ' '),
		lost_at: lostAt,
		ongoing_refresh_status: refreshStatusOf(account),
	};
}

/** Returns a time in whole seconds, because deliveries have microseconds where lists have milliseconds. */
export function secondOf(time: unknown): string | undefined {
	const second = Math.floor(Date.parse(String(time)) / 1_000);
	return Number.isNaN(second) ? undefined : String(second);
}

/** Leaves out the record. The subscription brings it only because this node recognizes lost connections by it. */
function withoutResource(message: EventMessage): EventMessage {
	if (!takesResource(message.event)) return message;
	const data = { ...message.data };
	delete data.resource;
	return { ...message, data };
}

/**
 * What a delivery brings to a trigger with these events: its own event, a lost connection, both, or nothing.
 * `onlyRefreshed` leaves out the lost connection of an account whose refresh is over.
 */
export function eventsIn(
	message: EventMessage,
	events: unknown,
	{ includesResource, onlyRefreshed }: { includesResource: boolean; onlyRefreshed: boolean },
): EventMessage[] {
	const isChosen = eventNames(events).includes(message.event);
	if (!choosesConnectionLost(events)) return [message];
	const delivered = isChosen ? [includesResource ? message : withoutResource(message)] : [];
	const { account, user, resource } = message.data;
	if (message.event !== ACCOUNT_UPDATED || !isDataObject(resource) || isNeverConnected(resource)) return delivered;
	if (objectIn(resource.connection).status !== 'error' || (onlyRefreshed && isRefreshOver(resource))) return delivered;
	const data = { account, user, ...lossIn(resource), ...(includesResource && { resource }) };
	return [...delivered, { event: CONNECTION_LOST.name, name: message.name, data }];
}
