/** Part of a subscription's `config` that only some events take. */
export type EventSetting = 'includeResource' | 'daysSynced' | 'items';

interface EventType {
	/** As a subscription's `events` has it, such as `user_forms.submitted`. */
	name: string;
	/** As people read it, in Title Case. n8n lists it as "On user form submitted" too, without capital letters. */
	title: string;
	/** When Argyle sends it, as a sentence without its full stop. */
	meaning: string;
	takes?: EventSetting;
}

/** All events but those of Items (Argyle's webhook guide). */
export const ALL_EVENTS = '*';

/** The most Items of one subscription (Argyle's items webhooks pages). */
export const MAX_ITEMS = 30;

const event = (name: string, title: string, meaning: string, takes?: EventSetting): EventType => ({
	name,
	title,
	meaning,
	takes,
});

/**
 * Every event of Argyle's OpenAPI file (argyle-all.yaml 1.0.111, September 2026), in alphabetical order of the names,
 * with the setting that it takes according to its own page.
 */
export const EVENT_TYPES: readonly EventType[] = [
	event('accounts.added', 'Account Added', 'A user has submitted a login', 'includeResource'),
	event('accounts.connected', 'Account Connected', 'The credentials of an account were accepted', 'includeResource'),
	event(
		'accounts.failed',
		'Account Failed',
		'A login failed. A connection that is lost later is Account Updated; the Argyle Trigger has Connection Lost',
	),
	event('accounts.removed', 'Account Removed', 'An account was removed'),
	event('accounts.updated', 'Account Updated', 'An account has changed, or its connection was lost', 'includeResource'),
	event('deposit_destinations.added', 'Deposit Destination Added', 'A bank account or card was found'),
	event('deposit_destinations.removed', 'Deposit Destination Removed', 'A bank account or card is gone'),
	event('deposit_destinations.updated', 'Deposit Destination Updated', 'A bank account or card has changed'),
	event(
		'direct_deposit_switches.completed',
		'Direct Deposit Switch Completed',
		'A user has finished a direct deposit switch',
	),
	event('direct_deposit_switches.failed', 'Direct Deposit Switch Failed', 'A direct deposit switch failed'),
	event('gigs.added', 'Gig Added', 'New gigs were found after the first sync'),
	event('gigs.fully_synced', 'Gigs Fully Synced', 'All gigs of an account were fetched'),
	event('gigs.partially_synced', 'Gigs Partially Synced', 'The gigs of the last days were fetched', 'daysSynced'),
	event('gigs.removed', 'Gig Removed', 'Gigs were removed'),
	event('gigs.updated', 'Gig Updated', 'Gigs have changed'),
	event('identities.added', 'Identity Added', 'An identity was found'),
	event('identities.updated', 'Identity Updated', 'An identity has changed'),
	event('items.removed', 'Item Removed', 'An Item (an employer or platform) is gone', 'items'),
	event('items.updated', 'Item Updated', 'An Item (an employer or platform) has changed', 'items'),
	event('payroll_documents.added', 'Payroll Document Added', 'A payroll document was found'),
	event(
		'payroll_documents.ocr_completed',
		'Payroll Document Text Recognized',
		'The text of a payroll document was recognized (OCR)',
	),
	event(
		'payroll_documents.ocr_failed',
		'Payroll Document Text Not Recognized',
		'The text of a payroll document could not be recognized (OCR)',
	),
	event('payroll_documents.removed', 'Payroll Document Removed', 'A payroll document was removed'),
	event('payroll_documents.updated', 'Payroll Document Updated', 'A payroll document has changed'),
	event('paystubs.added', 'Paystub Added', 'New paystubs were found after the first sync'),
	event('paystubs.fully_synced', 'Paystubs Fully Synced', 'All paystubs of an account were fetched'),
	event(
		'paystubs.partially_synced',
		'Paystubs Partially Synced',
		'The paystubs of the last days were fetched',
		'daysSynced',
	),
	event('paystubs.updated', 'Paystub Updated', 'Paystubs have changed'),
	event('ratings.added', 'Rating Added', 'A rating was found'),
	event('ratings.updated', 'Rating Updated', 'A rating has changed'),
	event('reports.generated', 'Report Generated', 'A report was made'),
	event('reports.ready', 'Report Ready', 'A report can be made'),
	event('shifts.added', 'Shift Added', 'New shifts were found after the first sync'),
	event('shifts.fully_synced', 'Shifts Fully Synced', 'All shifts of an account were fetched'),
	event('shifts.partially_synced', 'Shifts Partially Synced', 'The shifts of the last days were fetched', 'daysSynced'),
	event('shifts.removed', 'Shift Removed', 'Shifts were removed'),
	event('shifts.updated', 'Shift Updated', 'Shifts have changed'),
	event('user_forms.removed', 'User Form Removed', 'A user form was removed because its account was deleted'),
	event('user_forms.submitted', 'User Form Submitted', 'A user who could not find their employer has submitted a form'),
	event('user_uploads.added', 'User Upload Added', 'A user has uploaded a document'),
	event(
		'user_uploads.ocr_authenticity',
		'User Upload Authenticity Checked',
		'The authenticity of an uploaded document was checked',
	),
	event(
		'user_uploads.ocr_completed',
		'User Upload Text Recognized',
		'The text of an uploaded document was recognized (OCR)',
	),
	event(
		'user_uploads.ocr_failed',
		'User Upload Text Not Recognized',
		'The text of an uploaded document could not be recognized (OCR)',
	),
	event('user_uploads.removed', 'User Upload Removed', 'An uploaded document was removed'),
	event('users.fully_synced', 'User Fully Synced', 'All data of all accounts of a user was fetched'),
	event('vehicles.added', 'Vehicle Added', 'A vehicle was found'),
	event('vehicles.removed', 'Vehicle Removed', 'A vehicle was removed'),
	event('vehicles.updated', 'Vehicle Updated', 'A vehicle has changed'),
	event('verifications.connection_added', 'Verification Connection Added', 'A verification has got a connection'),
	event('verifications.creation_failed', 'Verification Creation Failed', 'A verification could not be made'),
	event('verifications.updated', 'Verification Updated', 'A verification has changed', 'includeResource'),
];

export const ACCOUNT_UPDATED = 'accounts.updated';

/**
 * An event of the Argyle Trigger alone. When a connection is lost, Argyle sends only Account Updated, which it also
 * sends after each refresh.
 */
export const CONNECTION_LOST = event(
	'accounts.connection_lost',
	'Connection Lost',
	'A connection is lost, such as by a new password. Made from Account Updated, and not part of All Events',
);

export const choosesConnectionLost = (events: unknown) => eventNames(events).includes(CONNECTION_LOST.name);

/** Returns the events that a subscription needs in order to bring the given ones. */
export function subscribedNames(events: unknown): string[] {
	const names = eventNames(events).map((name) => (name === CONNECTION_LOST.name ? ACCOUNT_UPDATED : name));
	return [...new Set(names)];
}

/**
 * The names in a trigger's or a subscription's `events`: a list, or what an expression or a language model gives
 * instead, such as `a, b` or `["a","b"]` as text. The names come out in lower case, as Argyle writes them.
 */
export function eventNames(value: unknown): string[] {
	const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
	const names = texts
		.filter((text) => typeof text === 'string')
		.flatMap((text) => text.toLowerCase().split(/[\s,;[\]"'`]+/))
		.filter((name) => name !== '');
	return [...new Set(names)];
}

export function eventsThatTake(setting: EventSetting): EventType[] {
	return EVENT_TYPES.filter(({ takes }) => takes === setting);
}

/** Whether the event can bring its record. A lost connection can bring the record of the event that it is made from. */
export const takesResource = (event: string) =>
	eventsThatTake('includeResource').some(({ name }) => subscribedNames([event]).includes(name));
