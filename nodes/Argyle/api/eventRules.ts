import { ITEMS } from './employers';
import { RECORD_TYPES, type RecordType } from './recordTypes';

/** A record whose ID an event has in this field of its `data`. */
interface NamedRecord {
	recordType: RecordType;
	field: string;
}

/** How the records that an event speaks of are found. */
export type EventRule =
	/** The record with the first of these IDs that the event holds. */
	| { by: 'id'; ids: NamedRecord[] }
	/** The account's records whose IDs the event has in `ids`. If it has none, all records in the event's range. */
	| { by: 'list'; recordType: RecordType; ids: string; range: 'updated'; newestBy: 'updated_at' }
	/** The account's records from `<range>_from` to `<range>_to`; with `newestBy`, the newest `<range>_count` of them. */
	| { by: 'range'; recordType: RecordType; range: 'added' | 'available'; newestBy?: 'created_at' }
	/** The user's accounts, of which the event may name some. */
	| { by: 'accountsOfUser'; recordType: RecordType }
	/** The report with one of these IDs, or else the user's newest one of the event's type. */
	| { by: 'report'; recordType: RecordType; ids: string[] }
	/** No record. `why` says what the event means, and what can be done with it instead. */
	| { by: 'nothing'; why: string };

const byId = (recordType: RecordType, field: string): EventRule => ({ by: 'id', ids: [{ recordType, field }] });

const GONE: EventRule = {
	by: 'nothing',
	why: 'It reports that something was removed at Argyle, so there is nothing to get. What was removed is named in the data of the event itself: use the IDs there, for example to remove your own copy.',
};

/** The rules of a data set that Argyle fetches in ranges. Its events count the records, but don't always name them. */
function dataSet(name: string, recordType: RecordType): Array<[event: string, rule: EventRule]> {
	const ids = `updated_${name}`;
	return [
		[`${name}.added`, { by: 'range', recordType, range: 'added', newestBy: 'created_at' }],
		[`${name}.updated`, { by: 'list', recordType, ids, range: 'updated', newestBy: 'updated_at' }],
		[`${name}.partially_synced`, { by: 'range', recordType, range: 'available' }],
		[`${name}.fully_synced`, { by: 'range', recordType, range: 'available' }],
	];
}

/** By the event's name, or by what is before its dot. Fields are those of Argyle's OpenAPI file, 1.0.111. */
const RULES = new Map<string, EventRule>([
	['accounts', byId(RECORD_TYPES.account, 'account')],
	['deposit_destinations', byId(RECORD_TYPES.depositDestination, 'deposit_destination')],
	[
		'direct_deposit_switches',
		{
			by: 'id',
			ids: [
				{ recordType: RECORD_TYPES.depositDestination, field: 'deposit_destination' },
				// The account holds the state of the switch, which has no record of its own.
				{ recordType: RECORD_TYPES.account, field: 'account' },
			],
		},
	],
	...dataSet('gigs', RECORD_TYPES.gig),
	['identities', byId(RECORD_TYPES.identity, 'identity')],
	['items', byId(ITEMS, 'item')],
	['payroll_documents', byId(RECORD_TYPES.payrollDocument, 'payroll_document')],
	...dataSet('paystubs', RECORD_TYPES.paystub),
	['ratings', byId(RECORD_TYPES.rating, 'rating')],
	// Which field holds the ID is nowhere documented.
	['reports.generated', { by: 'report', recordType: RECORD_TYPES.report, ids: ['report', 'resource.id', 'id'] }],
	// There is no report yet, only accounts that one can be made of.
	['reports.ready', { by: 'accountsOfUser', recordType: RECORD_TYPES.account }],
	...dataSet('shifts', RECORD_TYPES.shift),
	['user_forms', byId(RECORD_TYPES.userForm, 'user_form')],
	['user_uploads', byId(RECORD_TYPES.userUpload, 'user_upload')],
	['users', byId(RECORD_TYPES.user, 'user')],
	['vehicles', byId(RECORD_TYPES.vehicle, 'vehicle')],
	['verifications', byId(RECORD_TYPES.verification, 'verification')],
	[
		'verifications.creation_failed',
		{
			by: 'nothing',
			why: 'It reports that a verification could not be made, so there is none to get. The reason is in the data of the event itself; for the person, use User: Get with {{ $json.data.user }}.',
		},
	],
]);

/** Undefined for an event that Argyle did not have when this was written. */
export function ruleOf(event: string): EventRule | undefined {
	const [subject = '', change] = event.split('.');
	return change === 'removed' ? GONE : (RULES.get(event) ?? RULES.get(subject));
}
