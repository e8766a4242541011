import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { EVENT_TYPES, type EventSetting } from '../../../nodes/Argyle/api/events';
import { subscriptionRequest } from '../../../nodes/Argyle/api/subscriptionRequest';
import { eventsField } from '../../../nodes/Argyle/shared/fields';
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
	it('has every name that the service takes, in alphabetical order', () => {
		const names = EVENT_TYPES.map(({ name }) => name);
		expect(names).toEqual([...EVENT_NAMES].sort());
	});

	it.each(EVENT_TYPES)('asks for the config of $name that the service takes', ({ name }) => {
		const key = CONFIG_KEYS[name];
		expect(keysTakenBy(name)).toEqual(key === undefined ? [] : [key]);
	});

	it('names each event with a title of its own, in Title Case', () => {
		const titles = EVENT_TYPES.map(({ title }) => title);
		expect(new Set(titles).size).toBe(titles.length);
		for (const title of titles) expect(title).toMatch(/^([A-Z]\w+ )+[A-Z]\w+$/);
	});

	it('says in one sentence when each event is sent', () => {
		for (const { meaning } of EVENT_TYPES) expect(meaning).toMatch(/^[A-Z].*[^.]$/);
	});
});

describe('the Events field', () => {
	it('offers every event and All Events, with User Form Submitted chosen', () => {
		expect(eventsField.default).toEqual(['user_forms.submitted']);
		const values = eventsField.options?.map((option) => ('value' in option ? option.value : ''));
		expect(values).toEqual(['*', ...EVENT_TYPES.map(({ name }) => name)]);
	});
});
