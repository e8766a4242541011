const groups: Record<string, string> = {
	accounts: 'added connected failed removed updated',
	deposit_destinations: 'added removed updated',
	direct_deposit_switches: 'completed failed',
	gigs: 'added fully_synced partially_synced removed updated',
	identities: 'added updated',
	items: 'removed updated',
	payroll_documents: 'added ocr_completed ocr_failed removed updated',
	paystubs: 'added fully_synced partially_synced updated',
	ratings: 'added updated',
	reports: 'generated ready',
	shifts: 'added fully_synced partially_synced removed updated',
	user_forms: 'removed submitted',
	user_uploads: 'added ocr_authenticity ocr_completed ocr_failed removed',
	users: 'fully_synced',
	vehicles: 'added removed updated',
	verifications: 'connection_added creation_failed updated',
};

/**
 * The 51 event names that Argyle accepts (its OpenAPI file, September 2026). Independent of the package's own table, so
 * that each checks the other.
 */
export const EVENT_NAMES: ReadonlySet<string> = new Set(
	Object.entries(groups).flatMap(([group, changes]) => changes.split(' ').map((change) => `${group}.${change}`)),
);

/** The key of a subscription's `config` that an event accepts (Argyle's page of that event). Others accept none. */
export const CONFIG_KEYS: Readonly<Record<string, string>> = {
	'accounts.added': 'include_resource',
	'accounts.connected': 'include_resource',
	'accounts.updated': 'include_resource',
	'gigs.partially_synced': 'days_synced',
	'items.removed': 'items',
	'items.updated': 'items',
	'paystubs.partially_synced': 'days_synced',
	'shifts.partially_synced': 'days_synced',
	'verifications.updated': 'include_resource',
};
