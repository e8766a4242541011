import { type EventRule, ruleOf } from '../../../nodes/Argyle/api/eventRules';
import { EVENT_TYPES } from '../../../nodes/Argyle/api/events';

/** The record type, and the fields of the event's `data` that lead to its records. */
const FOUND_BY: Record<string, string> = {
	'accounts.added': 'account by account',
	'accounts.connected': 'account by account',
	'accounts.failed': 'account by account',
	'accounts.removed': 'nothing',
	'accounts.updated': 'account by account',
	'deposit_destinations.added': 'deposit destination by deposit_destination',
	'deposit_destinations.removed': 'nothing',
	'deposit_destinations.updated': 'deposit destination by deposit_destination',
	'direct_deposit_switches.completed': 'deposit destination by deposit_destination, account by account',
	'direct_deposit_switches.failed': 'deposit destination by deposit_destination, account by account',
	'gigs.added': 'gig by added, newest by created_at',
	'gigs.fully_synced': 'gig by available',
	'gigs.partially_synced': 'gig by available',
	'gigs.removed': 'nothing',
	'gigs.updated': 'gig by updated_gigs, updated, newest by updated_at',
	'identities.added': 'identity by identity',
	'identities.updated': 'identity by identity',
	'items.removed': 'nothing',
	'items.updated': 'Item by item',
	'payroll_documents.added': 'payroll document by payroll_document',
	'payroll_documents.ocr_completed': 'payroll document by payroll_document',
	'payroll_documents.ocr_failed': 'payroll document by payroll_document',
	'payroll_documents.removed': 'nothing',
	'payroll_documents.updated': 'payroll document by payroll_document',
	'paystubs.added': 'paystub by added, newest by created_at',
	'paystubs.fully_synced': 'paystub by available',
	'paystubs.partially_synced': 'paystub by available',
	'paystubs.updated': 'paystub by updated_paystubs, updated, newest by updated_at',
	'ratings.added': 'rating by rating',
	'ratings.updated': 'rating by rating',
	'reports.generated': 'report by report or resource.id or id, else the newest of the user',
	'reports.ready': 'account by user',
	'shifts.added': 'shift by added, newest by created_at',
	'shifts.fully_synced': 'shift by available',
	'shifts.partially_synced': 'shift by available',
	'shifts.removed': 'nothing',
	'shifts.updated': 'shift by updated_shifts, updated, newest by updated_at',
	'user_forms.removed': 'nothing',
	'user_forms.submitted': 'user form by user_form',
	'user_uploads.added': 'user upload by user_upload',
	'user_uploads.ocr_authenticity': 'user upload by user_upload',
	'user_uploads.ocr_completed': 'user upload by user_upload',
	'user_uploads.ocr_failed': 'user upload by user_upload',
	'user_uploads.removed': 'nothing',
	'users.fully_synced': 'user by user',
	'vehicles.added': 'vehicle by vehicle',
	'vehicles.removed': 'nothing',
	'vehicles.updated': 'vehicle by vehicle',
	'verifications.connection_added': 'verification by verification',
	'verifications.creation_failed': 'nothing',
	'verifications.updated': 'verification by verification',
};

function described(rule: EventRule): string {
	switch (rule.by) {
		case 'id':
			return rule.ids.map(({ recordType, field }) => `${recordType.one} by ${field}`).join(', ');
		case 'list':
			return `${rule.recordType.one} by ${rule.ids}, ${rule.range}, newest by ${rule.newestBy}`;
		case 'range':
			return `${rule.recordType.one} by ${rule.range}${rule.newestBy === undefined ? '' : `, newest by ${rule.newestBy}`}`;
		case 'accountsOfUser':
			return `${rule.recordType.one} by user`;
		case 'report':
			return `${rule.recordType.one} by ${rule.ids.join(' or ')}, else the newest of the user`;
		default:
			return rule.by;
	}
}

it.each(EVENT_TYPES)('the records of the event $name are found by what its data holds', ({ name }) => {
	const rule = ruleOf(name);
	expect(rule === undefined ? undefined : described(rule)).toBe(FOUND_BY[name]);
});

it('every event of the table is one that the trigger offers', () => {
	expect(new Set(Object.keys(FOUND_BY))).toEqual(new Set(EVENT_TYPES.map(({ name }) => name)));
});

it('an event that Argyle may have later is found by ID if such records are, and else is unknown', () => {
	expect(ruleOf('vehicles.sold')).toEqual(ruleOf('vehicles.updated'));
	expect(ruleOf('gigs.rated')).toBeUndefined();
	expect(ruleOf('invites.sent')).toBeUndefined();
	expect(ruleOf('')).toBeUndefined();
});
