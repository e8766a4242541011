import { ITEMS } from './employers';
import { FAMILIES, type Family } from './families';

/** An ID in an event's `data`, as the path of its field. */
interface NamedRecord {
	family: Family;
	field: string;
}

/** How the records that an event speaks of are found. */
export type EventRule =
	/** The first of these IDs that the event holds. */
	| { by: 'id'; ids: NamedRecord[] }
	/** `ids` are of records of the account, in the event's range. Without them, as `range`. */
	| { by: 'list'; family: Family; ids: string; range: 'updated'; newestBy: 'updated_at' }
	/** Those of the account from `<range>_from` to `<range>_to`; with `newestBy`, the newest `<range>_count` of them. */
	| { by: 'range'; family: Family; range: 'added' | 'available'; newestBy?: 'created_at' }
	/** The user's accounts, of which the event may name some. */
	| { by: 'accountsOfUser'; family: Family }
	/** The ID, or else the user's newest report of the event's type. */
	| { by: 'report'; family: Family; ids: string[] }
	/** What the event means, and what can be done with it instead. */
	| { by: 'nothing'; why: string };

const byId = (family: Family, field: string): EventRule => ({ by: 'id', ids: [{ family, field }] });

const GONE: EventRule = {
	by: 'nothing',
	why: 'It reports that something was removed at Argyle, so there is nothing to get. What was removed is named in the data of the event itself: use the IDs there, for example to remove your own copy.',
};

/** The data sets that are fetched in ranges, of which events count the records, but don't always name them. */
function dataSet(name: string, family: Family): Array<[event: string, rule: EventRule]> {
	const ids = `updated_${name}`;
	return [
		[`${name}.added`, { by: 'range', family, range: 'added', newestBy: 'created_at' }],
		[`${name}.updated`, { by: 'list', family, ids, range: 'updated', newestBy: 'updated_at' }],
		[`${name}.partially_synced`, { by: 'range', family, range: 'available' }],
		[`${name}.fully_synced`, { by: 'range', family, range: 'available' }],
	];
}

/** By the event's name, or by what is before its dot. Fields are those of Argyle's OpenAPI file, 1.0.111. */
const RULES = new Map<string, EventRule>([
	['accounts', byId(FAMILIES.account, 'account')],
	['deposit_destinations', byId(FAMILIES.depositDestination, 'deposit_destination')],
	[
		'direct_deposit_switches',
		{
			by: 'id',
			ids: [
				{ family: FAMILIES.depositDestination, field: 'deposit_destination' },
				// It holds the state of the switch, which has no record of its own.
				{ family: FAMILIES.account, field: 'account' },
			],
		},
	],
	...dataSet('gigs', FAMILIES.gig),
	['identities', byId(FAMILIES.identity, 'identity')],
	['items', byId(ITEMS, 'item')],
	['payroll_documents', byId(FAMILIES.payrollDocument, 'payroll_document')],
	...dataSet('paystubs', FAMILIES.paystub),
	['ratings', byId(FAMILIES.rating, 'rating')],
	// Which field holds the ID is nowhere documented.
	['reports.generated', { by: 'report', family: FAMILIES.report, ids: ['report', 'resource.id', 'id'] }],
	// There is no report yet, only accounts that one can be made of.
	['reports.ready', { by: 'accountsOfUser', family: FAMILIES.account }],
	...dataSet('shifts', FAMILIES.shift),
	['user_forms', byId(FAMILIES.userForm, 'user_form')],
	['user_uploads', byId(FAMILIES.userUpload, 'user_upload')],
	['users', byId(FAMILIES.user, 'user')],
	['vehicles', byId(FAMILIES.vehicle, 'vehicle')],
	['verifications', byId(FAMILIES.verification, 'verification')],
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
