import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { EVENT_TYPES, type EventSetting } from '../../../nodes/Argyle/api/events';
import { subscriptionRequest } from '../../../nodes/Argyle/shared/subscriptionRequest';
import { eventsField } from '../../../nodes/Argyle/shared/fields';
import { CONFIG_KEYS, EVENT_NAMES } from '../../support/fakeArgyle/eventNames.mts';

const VALUES: Record<EventSetting, unknown> = { includeResource: true, daysSynced: 90, items: ['item_1'] };

/** The `config` keys of the event's requests with each setting in turn; a setting that it does not take is refused. */
function configKeysOf(name: string): string[] {
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

describe('EVENT_TYPES', () => {
	it('lists in alphabetical order every event that Argyle sends', () => {
		const names = EVENT_TYPES.map(({ name }) => name);
		expect(names).toEqual([...EVENT_NAMES].sort());
	});

	it.each(EVENT_TYPES)('sends for $name only the config that Argyle takes', ({ name }) => {
		const key = CONFIG_KEYS[name];
		expect(configKeysOf(name)).toEqual(key === undefined ? [] : [key]);
	});

	it('has a unique title in Title Case for every event, without acronyms, which n8n would write small', () => {
		const titles = EVENT_TYPES.map(({ title }) => title);
		expect(new Set(titles).size).toBe(titles.length);
		for (const title of titles) expect(title).toMatch(/^([A-Z][a-z]+ )+[A-Z][a-z]+$/);
	});

	it('describes every event in one sentence without a full stop', () => {
		for (const { meaning } of EVENT_TYPES) expect(meaning).toMatch(/^[A-Z].*[^.]$/);
	});
});

describe('eventsField', () => {
	it('offers All Events and every single event, and defaults to User Form Submitted', () => {
		expect(eventsField.default).toEqual(['user_forms.submitted']);
		const values = eventsField.options?.map((option) => ('value' in option ? option.value : '')) ?? [];
		expect(values.slice(0, 2)).toEqual(['user_forms.submitted', '*']);
		expect(values.sort()).toEqual(['*', ...EVENT_TYPES.map(({ name }) => name)].sort());
	});
});
