import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { EVENT_TYPES, type EventSetting } from '../../../nodes/Argyle/api/events';
import { subscriptionRequest } from '../../../nodes/Argyle/api/subscriptionRequest';
import { eventsField, eventTitle } from '../../../nodes/Argyle/shared/fields';
import { CONFIG_KEYS, EVENT_NAMES } from '../../support/fakeArgyle/eventNames.mts';

/** Of each setting, a value with which a subscription can be asked for. */
const VALUES: Record<EventSetting, unknown> = { includeResource: true, daysSynced: 90, items: ['item_1'] };

/** The keys of `config` that an event takes, as asked for at the service with each setting in turn. */
function keysTakenBy(name: string): string[] {
	const required = name.startsWith('items.') ? { items: VALUES.items } : {};
	return Object.entries(VALUES).flatMap(([setting, value]) => {
		const input = { name: 'n', url: 'https://example.com', events: [name], ...required, [setting]: value };
		try {
			return Object.keys(subscriptionRequest(input).config ?? {});
		} catch (error) {
			if (error instanceof ArgyleError) return [];
			throw error;
		}
	});
}

describe('the event table', () => {
	it('has the names that the service takes, each once, in alphabetical order', () => {
		const names = EVENT_TYPES.map(({ name }) => name);
		expect(names).toEqual([...EVENT_NAMES].sort());
	});

	it.each(EVENT_TYPES)('gives $name the config that the service takes with it', ({ name }) => {
		const key = CONFIG_KEYS[name];
		expect(keysTakenBy(name)).toEqual(key === undefined ? [] : [key]);
	});

	it('says in one sentence when each event is sent', () => {
		for (const { meaning } of EVENT_TYPES) expect(meaning).toMatch(/^[A-Z].*[^.]$/);
	});
});

describe('the choice of events', () => {
	it('offers every event and all of them, with the form submission chosen', () => {
		expect(eventsField.default).toEqual(['user_forms.submitted']);
		const values = eventsField.options?.map((option) => ('value' in option ? option.value : ''));
		expect(values).toEqual(['*', ...EVENT_TYPES.map(({ name }) => name)]);
	});

	it.each([
		['user_forms.submitted', 'User Form Submitted'],
		['users.fully_synced', 'User Fully Synced'],
		['identities.added', 'Identity Added'],
		['direct_deposit_switches.completed', 'Direct Deposit Switch Completed'],
		['gigs.partially_synced', 'Gigs Partially Synced'],
		['payroll_documents.ocr_failed', 'Payroll Document OCR Failed'],
		['verifications.connection_added', 'Verification Connection Added'],
	])('names %s "%s"', (name, title) => expect(eventTitle(name)).toBe(title));
});
