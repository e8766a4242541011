/** A setting of a subscription's `config` that only some events take. */
export type EventSetting = 'includeResource' | 'daysSynced' | 'items';

/** One event that Argyle sends. */
export interface EventType {
	/** As it stands in a subscription's `events`, such as `user_forms.submitted`. */
	name: string;
	/** When it is sent, as a sentence without its full stop. */
	meaning: string;
	takes?: EventSetting;
}

/** Stands for all events but those of Items (Argyle's webhook guide). */
export const ALL_EVENTS = '*';

/** The most Items that one subscription can name (Argyle's items webhooks pages). */
export const MOST_ITEMS = 30;

/**
 * Every event name of Argyle's OpenAPI file (argyle-all.yaml 1.0.111, September 2026), in alphabetical order,
 * with the setting it takes according to the page of each event.
 */
export const EVENT_TYPES: readonly EventType[] = [
	{ name: 'accounts.added', meaning: 'A user has submitted a login', takes: 'includeResource' },
	{ name: 'accounts.connected', meaning: 'The credentials of an account were accepted', takes: 'includeResource' },
	{ name: 'accounts.failed', meaning: 'The login of an account failed' },
	{ name: 'accounts.removed', meaning: 'An account was removed' },
	{ name: 'accounts.updated', meaning: 'An account has changed', takes: 'includeResource' },
	{ name: 'deposit_destinations.added', meaning: 'A bank account or card was found' },
	{ name: 'deposit_destinations.removed', meaning: 'A bank account or card is gone' },
	{ name: 'deposit_destinations.updated', meaning: 'A bank account or card has changed' },
	{ name: 'direct_deposit_switches.completed', meaning: 'A user has finished a direct deposit switch' },
	{ name: 'direct_deposit_switches.failed', meaning: 'A direct deposit switch failed' },
	{ name: 'gigs.added', meaning: 'New gigs were found after the first sync' },
	{ name: 'gigs.fully_synced', meaning: 'All gigs of an account were fetched' },
	{ name: 'gigs.partially_synced', meaning: 'The gigs of the last days were fetched', takes: 'daysSynced' },
	{ name: 'gigs.removed', meaning: 'Gigs were removed' },
	{ name: 'gigs.updated', meaning: 'Gigs have changed' },
	{ name: 'identities.added', meaning: 'An identity was found' },
	{ name: 'identities.updated', meaning: 'An identity has changed' },
	{ name: 'items.removed', meaning: 'An Item (an employer or platform) is gone', takes: 'items' },
	{ name: 'items.updated', meaning: 'An Item (an employer or platform) has changed', takes: 'items' },
	{ name: 'payroll_documents.added', meaning: 'A payroll document was found' },
	{ name: 'payroll_documents.ocr_completed', meaning: 'A payroll document was read' },
	{ name: 'payroll_documents.ocr_failed', meaning: 'A payroll document could not be read' },
	{ name: 'payroll_documents.removed', meaning: 'A payroll document was removed' },
	{ name: 'payroll_documents.updated', meaning: 'A payroll document has changed' },
	{ name: 'paystubs.added', meaning: 'New paystubs were found after the first sync' },
	{ name: 'paystubs.fully_synced', meaning: 'All paystubs of an account were fetched' },
	{ name: 'paystubs.partially_synced', meaning: 'The paystubs of the last days were fetched', takes: 'daysSynced' },
	{ name: 'paystubs.updated', meaning: 'Paystubs have changed' },
	{ name: 'ratings.added', meaning: 'A rating was found' },
	{ name: 'ratings.updated', meaning: 'A rating has changed' },
	{ name: 'reports.generated', meaning: 'A report was made' },
	{ name: 'reports.ready', meaning: 'A report can be made' },
	{ name: 'shifts.added', meaning: 'New shifts were found after the first sync' },
	{ name: 'shifts.fully_synced', meaning: 'All shifts of an account were fetched' },
	{ name: 'shifts.partially_synced', meaning: 'The shifts of the last days were fetched', takes: 'daysSynced' },
	{ name: 'shifts.removed', meaning: 'Shifts were removed' },
	{ name: 'shifts.updated', meaning: 'Shifts have changed' },
	{ name: 'user_forms.removed', meaning: 'A user form was removed because its account was deleted' },
	{ name: 'user_forms.submitted', meaning: 'A user who could not find their employer has submitted a form' },
	{ name: 'user_uploads.added', meaning: 'A user has uploaded a document' },
	{ name: 'user_uploads.ocr_authenticity', meaning: 'The authenticity of an uploaded document was checked' },
	{ name: 'user_uploads.ocr_completed', meaning: 'An uploaded document was read' },
	{ name: 'user_uploads.ocr_failed', meaning: 'An uploaded document could not be read' },
	{ name: 'user_uploads.removed', meaning: 'An uploaded document was removed' },
	{ name: 'users.fully_synced', meaning: 'All data of all accounts of a user was fetched' },
	{ name: 'vehicles.added', meaning: 'A vehicle was found' },
	{ name: 'vehicles.removed', meaning: 'A vehicle was removed' },
	{ name: 'vehicles.updated', meaning: 'A vehicle has changed' },
	{ name: 'verifications.connection_added', meaning: 'A verification has got a connection' },
	{ name: 'verifications.creation_failed', meaning: 'A verification could not be made' },
	{ name: 'verifications.updated', meaning: 'A verification has changed', takes: 'includeResource' },
];

/** Takes a setting; gives the names of the events that take it. */
export function eventsThatTake(setting: EventSetting): string[] {
	return EVENT_TYPES.filter((event) => event.takes === setting).map((event) => event.name);
}
