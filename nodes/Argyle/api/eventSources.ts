import type { IDataObject } from 'n8n-workflow';

import { isId, isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { keyOfLoss } from './connectionLost';
import { FORM_SUBMITTED } from './delivery';
import { CONNECTION_LOST } from './events';
import { RECORD_TYPES, type RecordType } from './recordTypes';

/** How to find an event that n8n did not receive: by a record that one of Argyle's lists shows. */
export interface EventSource {
	/** The event's name in a subscription. */
	event: string;
	/** The path of the list. */
	recordType: RecordType;
	/** The field of the event's `data` with the ID of the record. */
	field: string;
	/** Whether Argyle sends such an event for the record as it is. */
	accepts: (record: IDataObject) => boolean;
	/** Set for an event that comes when a record is settled, and not when it is new. */
	settled?: Settled;
}

/** How a record is followed until it is settled. */
interface Settled {
	/** Tells apart how it was settled, because a record can be opened and settled again. */
	outcome: (record: IDataObject) => unknown;
	/** The field with the time at which it was settled. Undefined if no field has it. */
	time?: string;
	/** Whether Argyle also sends the event while the record is open. Such a one can't be found again. */
	isSentBefore: boolean;
	/** How many days after its creation an open record is followed. */
	followedDays: number;
	/** What a delivered event has in its `data` beside IDs. */
	data: (record: IDataObject) => IDataObject;
}

const source = (
	event: string,
	recordType: RecordType,
	field: string,
	more: Pick<EventSource, 'settled'> & Partial<EventSource> = {},
): EventSource => ({ event, recordType, field, accepts: () => true, ...more });

const stateOf = ({ status }: IDataObject) => (isDataObject(status) ? status.state : undefined);

export const EVENT_SOURCES: readonly EventSource[] = [
	source(FORM_SUBMITTED, RECORD_TYPES.userForm, 'user_form', {
		accepts: ({ account }) => typeof account === 'string',
	}),
	// Uploads and forms make accounts, too, without a login (Argyle's page on accounts).
	source('accounts.added', RECORD_TYPES.account, 'account', {
		accepts: ({ source: origin }) => origin !== 'doc_upload_item',
	}),
	source('user_uploads.added', RECORD_TYPES.userUpload, 'user_upload'),
	// Argyle sends nothing when a verification is cancelled, or when a report has failed.
	source('verifications.updated', RECORD_TYPES.verification, 'verification', {
		accepts: (record) => ['COMPLETED', 'CANCELLED'].includes(String(stateOf(record))),
		settled: {
			outcome: ({ report, ...record }) => (isDataObject(report) ? report.id : undefined) ?? stateOf(record),
			time: 'updated_at',
			isSentBefore: true,
			followedDays: 30,
			data: (record) => ({ status: stateOf(record) }),
		},
	}),
	source('reports.generated', RECORD_TYPES.report, 'report', {
		accepts: ({ status }) => status === 'generated' || status === 'failed',
		settled: {
			outcome: () => undefined,
			isSentBefore: false,
			followedDays: 1,
			data: ({ type, status }) => ({ type, status }),
		},
	}),
];

export const sourceOf = (event: unknown) => EVENT_SOURCES.find((each) => each.event === event);

/** Whether a delivery lacks what tells the record's events apart, so that the record has to be read. */
export const isOfSettled = ({ event }: IDataObject) => sourceOf(event)?.settled !== undefined;

/** The key of a form is its ID alone, because n8n's store already knows forms by it. */
const keyFor = ({ event }: EventSource, id: string) => (event === FORM_SUBMITTED ? id : `${event} ${id}`);

/**
 * Returns the key that identifies the event in its account, or undefined if it names no record, or does not tell how
 * the record was settled.
 */
export function keyOfEvent({ event, data }: IDataObject): string | undefined {
	if (event === CONNECTION_LOST.name) return isDataObject(data) ? keyOfLoss(data) : undefined;
	const found = sourceOf(event);
	const id = found && !found.settled && isDataObject(data) ? data[found.field] : undefined;
	return found && isUuid(id) ? keyFor(found, id) : undefined;
}

/** Returns the key of the event that a record tells of, or undefined when it tells of none. */
export function keyOfRecord(of: EventSource, record: IDataObject): string | undefined {
	const { id } = record;
	const isNamed = of.settled === undefined ? isUuid(id) : isId(id);
	if (!isNamed || !of.accepts(record)) return undefined;
	const outcome = of.settled?.outcome(record);
	return keyFor(of, String(id)) + (typeof outcome === 'string' ? ` ${outcome}` : '');
}

/** The name of the event with this key. */
export const eventOfKey = (key: string) => (key.includes(' ') ? key.split(' ')[0] : FORM_SUBMITTED);

/** The `data` of the event, as far as the record tells it. */
export function eventData({ field, settled }: EventSource, record: IDataObject): IDataObject {
	const { id, account, user } = record;
	return {
		...(isUuid(account) && { account }),
		...(isUuid(user) && { user }),
		[field]: id,
		...settled?.data(record),
	};
}
