import { EVENT_TYPES, eventsThatTake } from '../../../nodes/Argyle/api/events';
import { eventsField, eventTitle } from '../../../nodes/Argyle/descriptions';
import { EVENT_NAMES } from '../../service/eventNames.mts';

describe('the event table', () => {
	it("has the 51 names of Argyle's OpenAPI file, each once, in alphabetical order", () => {
		const names = EVENT_TYPES.map(({ name }) => name);
		expect(names).toHaveLength(51);
		expect(new Set(names)).toEqual(EVENT_NAMES);
		expect(names).toEqual([...names].sort());
	});

	it('knows which setting which event takes', () => {
		expect(eventsThatTake('items')).toEqual(['items.removed', 'items.updated']);
		expect(eventsThatTake('daysSynced')).toEqual([
			'gigs.partially_synced',
			'paystubs.partially_synced',
			'shifts.partially_synced',
		]);
		expect(eventsThatTake('includeResource')).toEqual([
			'accounts.added',
			'accounts.connected',
			'accounts.updated',
			'verifications.updated',
		]);
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
