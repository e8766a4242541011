import type { IDataObject } from 'n8n-workflow';

import { isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { FORM_SUBMITTED } from './delivery';
import { RECORD_TYPES, type RecordType } from './recordTypes';

/** How an event that nobody received is found again: by a record that is new in a list of Argyle's. */
export interface EventSource {
	/** As a subscription's `events` has it. */
	event: string;
	/** Of the list. */
	recordType: RecordType;
	/** The field of the event's `data` with the ID of the record. */
	field: string;
	/** Whether Argyle sends such an event for the record. */
	accepts: (record: IDataObject) => boolean;
}

const source = (
	event: string,
	recordType: RecordType,
	field: string,
	accepts: EventSource['accepts'] = () => true,
): EventSource => ({ event, recordType, field, accepts });

export const EVENT_SOURCES: readonly EventSource[] = [
	source(FORM_SUBMITTED, RECORD_TYPES.userForm, 'user_form', ({ account }) => typeof account === 'string'),
	// Uploads and forms make accounts, too, without a login (Argyle's page on accounts).
	source('accounts.added', RECORD_TYPES.account, 'account', ({ source: origin }) => origin !== 'doc_upload_item'),
	source('user_uploads.added', RECORD_TYPES.userUpload, 'user_upload'),
];

export const sourceOf = (event: unknown) => EVENT_SOURCES.find((each) => each.event === event);

/** A form has its ID alone, by which n8n's stores know those that have started a workflow. */
const keyFor = ({ event }: EventSource, id: string) => (event === FORM_SUBMITTED ? id : `${event} ${id}`);

/** What tells the event from all others of its account; undefined where it names no record. */
export function keyOfEvent({ event, data }: IDataObject): string | undefined {
	const found = sourceOf(event);
	const id = found && isDataObject(data) ? data[found.field] : undefined;
	return found && isUuid(id) ? keyFor(found, id) : undefined;
}

/** The key of the event that a record tells of; undefined when it tells of none. */
export function keyOfRecord(of: EventSource, record: IDataObject): string | undefined {
	return isUuid(record.id) && of.accepts(record) ? keyFor(of, record.id) : undefined;
}

/** The name of the event with this key. */
export const eventOfKey = (key: string) => (key.includes(' ') ? key.split(' ')[0] : FORM_SUBMITTED);

/** The `data` of the event, as far as the record tells it. */
export function eventData({ field }: EventSource, { id, account, user }: IDataObject): IDataObject {
	return { ...(isUuid(account) && { account }), ...(isUuid(user) && { user }), [field]: id };
}
