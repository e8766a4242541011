import type { IDataObject } from 'n8n-workflow';

import { isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { FORM_SUBMITTED } from './delivery';
import { RECORD_TYPES, type RecordType } from './recordTypes';

/** How to find an event that n8n did not receive: by a record that is new in one of Argyle's lists. */
export interface EventSource {
	/** The event's name in a subscription. */
	event: string;
	/** The path of the list. */
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

/** The key of a form is its ID alone, because n8n's store already knows forms by it. */
const keyFor = ({ event }: EventSource, id: string) => (event === FORM_SUBMITTED ? id : `${event} ${id}`);

/** Returns the key that identifies the event in its account, or undefined if it names no record. */
export function keyOfEvent({ event, data }: IDataObject): string | undefined {
	const found = sourceOf(event);
	const id = found && isDataObject(data) ? data[found.field] : undefined;
	return found && isUuid(id) ? keyFor(found, id) : undefined;
}

/** Returns the key of the event that a record tells of, or undefined when it tells of none. */
export function keyOfRecord(of: EventSource, record: IDataObject): string | undefined {
	return isUuid(record.id) && of.accepts(record) ? keyFor(of, record.id) : undefined;
}

/** The name of the event with this key. */
export const eventOfKey = (key: string) => (key.includes(' ') ? key.split(' ')[0] : FORM_SUBMITTED);

/** The `data` of the event, as far as the record tells it. */
export function eventData({ field }: EventSource, { id, account, user }: IDataObject): IDataObject {
	return { ...(isUuid(account) && { account }), ...(isUuid(user) && { user }), [field]: id };
}
