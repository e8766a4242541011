import type { IDataObject } from 'n8n-workflow';

import { isId, isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { isMadeByHand } from './accountOrigin';
import { isNeverConnected, lossIn, secondOf } from './connectionLost';
import { FORM_SUBMITTED } from './delivery';
import { CONNECTION_LOST } from './events';
import { RECORD_TYPES, type RecordType } from './recordTypes';
import { outcomeOfSync } from './syncedUsers';

/** How to find an event that n8n did not receive: by a record that one of Argyle's lists shows. */
export interface EventSource {
	/** The event's name in a subscription. */
	event: string;
	/** The type of the list's records. */
	recordType: RecordType;
	/** The field of the event's `data` with the ID of the record. */
	field: string;
	/** Whether the record, as it is now, tells of such an event. */
	accepts: (record: IDataObject) => boolean;
	/** Set for an event that comes when a record has changed, and not when it is new. */
	change?: Change;
}

/** How to find an event that comes when a record has changed. */
interface Change {
	/** Two changes of a record can lead to the same event. The value that this returns tells them apart. */
	outcome: (record: IDataObject) => unknown;
	/** Reads the `outcome` from the `data` of a delivered event. Left out if only the record has it. */
	delivered?: (data: IDataObject) => string | undefined;
	/** When it changed. Undefined if the record doesn't tell. */
	time?: (record: IDataObject) => unknown;
	/**
	 * When the change began that led to the event. The event counts only if the workflow wanted it at that time already.
	 * Set if `time` can move although nothing has changed.
	 */
	countsBy?: (record: IDataObject) => unknown;
	/** The fields of a delivered event's `data` that tell apart several events of one change. */
	parts?: string[];
	/** Whether Argyle also sends the event for earlier states of a record. A list shows only the last state. */
	isSentBefore?: boolean;
	/**
	 * For how many days after its creation a record is followed: each round of the watch reads it again until its state
	 * is final. Undefined if a record can change at any time, so that only a scan of the whole list shows all changes.
	 */
	followedDays?: number;
	/** What the event has in its `data` beside IDs. */
	data?: (record: IDataObject) => IDataObject;
}

const source = (
	event: string,
	recordType: RecordType,
	field: string,
	more: Partial<EventSource> = {},
): EventSource => ({ event, recordType, field, accepts: () => true, ...more });

const stateOf = ({ status }: IDataObject) => (isDataObject(status) ? status.state : undefined);

const errorIn = ({ error_code, error_message }: IDataObject): IDataObject => ({ error_code, error_message });

/** The source of an event that Argyle sends when a part of an account gets a status. */
const ofStatus = (
	event: string,
	part: 'connection' | 'direct_deposit_switch',
	status: string,
	accepts: EventSource['accepts'] = () => true,
	{ data, delivered }: Pick<Change, 'data' | 'delivered'> = {},
): EventSource => {
	const partOf = (record: IDataObject) => {
		const value = record[part];
		return isDataObject(value) ? value : {};
	};
	const time = (record: IDataObject) => partOf(record).updated_at;
	return source(event, RECORD_TYPES.account, 'account', {
		accepts: (record) => partOf(record).status === status && accepts(record),
		change: {
			outcome: (record) => secondOf(time(record)),
			delivered,
			time,
			// A bank account and a card that are switched together make two events (Argyle's page of the event).
			...(part === 'direct_deposit_switch' && { parts: ['deposit_destination', 'type'] }),
			...(status === 'error' && { data: data ?? ((record) => errorIn(partOf(record))) }),
		},
	});
};

export const EVENT_SOURCES: readonly EventSource[] = [
	source(FORM_SUBMITTED, RECORD_TYPES.userForm, 'user_form', {
		accepts: ({ account }) => typeof account === 'string',
	}),
	source('accounts.added', RECORD_TYPES.account, 'account', { accepts: (record) => !isMadeByHand(record) }),
	source('user_uploads.added', RECORD_TYPES.userUpload, 'user_upload'),
	// Argyle sends nothing when a verification is cancelled, or a report has failed. Then only the list tells.
	source('verifications.updated', RECORD_TYPES.verification, 'verification', {
		accepts: (record) => ['COMPLETED', 'CANCELLED'].includes(String(stateOf(record))),
		change: {
			outcome: ({ report, ...record }) => (isDataObject(report) && isId(report.id) ? report.id : stateOf(record)),
			time: ({ updated_at: updatedAt }) => updatedAt,
			isSentBefore: true,
			followedDays: 30,
			data: (record) => ({ status: stateOf(record) }),
		},
	}),
	source('reports.generated', RECORD_TYPES.report, 'report', {
		accepts: ({ status }) => status === 'generated' || status === 'failed',
		change: {
			outcome: () => undefined,
			followedDays: 1,
			data: ({ type, status }) => ({ type, status }),
		},
	}),
	ofStatus('accounts.connected', 'connection', 'connected', (record) => !isMadeByHand(record)),
	ofStatus('accounts.failed', 'connection', 'error', isNeverConnected),
	ofStatus(CONNECTION_LOST.name, 'connection', 'error', (record) => !isNeverConnected(record), {
		data: lossIn,
		// If Argyle tells no time, several losses with the same reason count as one.
		delivered: ({ lost_at: lostAt, error_code: code }) => secondOf(lostAt) ?? String(code),
	}),
	ofStatus('direct_deposit_switches.completed', 'direct_deposit_switch', 'success'),
	ofStatus('direct_deposit_switches.failed', 'direct_deposit_switch', 'error'),
	// Argyle has no such records: `SyncedUsers` makes them from the accounts.
	source('users.fully_synced', RECORD_TYPES.account, 'user', {
		accepts: (record) => 'synced_at' in record,
		change: {
			outcome: outcomeOfSync,
			delivered: outcomeOfSync,
			time: ({ synced_at: syncedAt }) => syncedAt,
			countsBy: ({ added_at: addedAt }) => addedAt,
			data: ({ resource }) => ({ resource }),
		},
	}),
];

export const sourceOf = (event: unknown) => EVENT_SOURCES.find((each) => each.event === event);

/** Whether only the record of a delivered event tells its key, because the event does not say what has changed. */
export function needsRecordForKey({ event }: IDataObject): boolean {
	const change = sourceOf(event)?.change;
	return change !== undefined && change.delivered === undefined;
}

/** Whether a scan of the whole list has to find the event. */
export const isScanned = ({ change }: EventSource) => change !== undefined && change.followedDays === undefined;

/** Whether the time that the record shows can be later than the event, because other changes move it. */
export const isTimeMoved = ({ change }: EventSource) => change?.isSentBefore === true;

/** Whether the record does not tell when the event happened. That can be long after the record's `created_at`. */
export const isUndated = ({ change }: EventSource) => change !== undefined && change.time === undefined;

/** The key of a form is its ID alone, because n8n's deduplication store already holds forms under their bare IDs. */
const keyFor = ({ event }: EventSource, id: string) => (event === FORM_SUBMITTED ? id : `${event} ${id}`);

/**
 * Returns the key that identifies the event in its account, or undefined if the event names no record, or does not tell
 * how the record has changed.
 */
export function keyOfEvent({ event, data }: IDataObject): string | undefined {
	const found = sourceOf(event);
	const id = found && isDataObject(data) ? data[found.field] : undefined;
	if (!found || !isUuid(id) || !isDataObject(data)) return undefined;
	if (found.change === undefined) return keyFor(found, id);
	const outcome = found.change.delivered?.(data);
	return outcome && `${keyFor(found, id)} ${outcome}`;
}

/**
 * One change of a record can lead to several delivered events, which then share `key`. Returns the key that each of
 * them has for itself, or undefined for an event that shares its key with no other.
 */
export function keyOfPart({ event, data }: IDataObject, key: string): string | undefined {
	const fields = isDataObject(data) ? (sourceOf(event)?.change?.parts ?? []).map((field) => data[field]) : [];
	const texts = fields.filter((value) => typeof value === 'string');
	return texts.length === 0 ? undefined : [key, ...texts].join(' ');
}

/** Returns the key of the event that a record tells of, or undefined when it tells of none. */
export function keyOfRecord(of: EventSource, record: IDataObject): string | undefined {
	const { id } = record;
	const isNamed = of.change === undefined ? isUuid(id) : isId(id);
	if (!isNamed || !of.accepts(record)) return undefined;
	const outcome = of.change?.outcome(record);
	return keyFor(of, String(id)) + (typeof outcome === 'string' ? ` ${outcome}` : '');
}

export const eventOfKey = (key: string) => (key.includes(' ') ? key.split(' ')[0] : FORM_SUBMITTED);

/** The `data` of the event, as far as the record tells it. */
export function eventData({ field, change }: EventSource, record: IDataObject): IDataObject {
	const { id, account, user } = record;
	return {
		...(isUuid(account) && { account }),
		...(isUuid(user) && { user }),
		[field]: id,
		...change?.data?.(record),
	};
}
