import { areSameEvents, isSameConfig, subscriptionRequest } from '../../../nodes/Argyle/api/subscriptionRequest';

const good = { name: 'Forms', url: 'https://example.com/argyle', events: ['user_forms.submitted'] };
const refusal = (input: object) => {
	try {
		subscriptionRequest({ ...good, ...input });
	} catch (error) {
		return error;
	}
	throw new Error('was not refused');
};

describe('subscriptionRequest', () => {
	it('gives the request, without a config when nothing is configured', () => {
		expect(subscriptionRequest(good)).toEqual(good);
		expect(subscriptionRequest({ ...good, includeResource: false, daysSynced: '', items: [] })).toEqual(good);
		expect(subscriptionRequest({ ...good, daysSynced: null, items: '' })).toEqual(good);
	});

	it('trims the name and URL, leaves the URL as it is otherwise, and drops events named twice', () => {
		const request = subscriptionRequest({
			name: ' Forms ',
			url: ' http://example.com/a b?c=ä ',
			events: ['a', 'a', '', 7, 'b'],
		});
		expect(request).toEqual({ name: 'Forms', url: 'http://example.com/a b?c=ä', events: ['a', 'b'] });
	});

	it("puts each setting under Argyle's own key", () => {
		expect(subscriptionRequest({ ...good, events: ['accounts.added'], includeResource: true }).config).toEqual({
			include_resource: true,
		});
		expect(subscriptionRequest({ ...good, events: ['gigs.partially_synced'], daysSynced: 90 }).config).toEqual({
			days_synced: 90,
		});
		expect(subscriptionRequest({ ...good, events: ['items.updated'], items: [' a ', 'b', 'a', ''] }).config).toEqual({
			items: ['a', 'b'],
		});
		expect(subscriptionRequest({ ...good, events: ['items.removed'], items: 'a, b,' }).config).toEqual({
			items: ['a', 'b'],
		});
	});

	it('takes 30 Items', () => {
		const items = Array.from({ length: 30 }, (_, index) => `item_${index}`);
		expect(subscriptionRequest({ ...good, events: ['items.updated'], items }).config?.items).toHaveLength(30);
	});

	it('takes * alone', () => expect(subscriptionRequest({ ...good, events: ['*'] }).events).toEqual(['*']));

	it.each<[string, object, string, string]>([
		['no name', { name: ' ' }, 'Name', 'Enter a name'],
		['a name of another kind', { name: 7 }, 'Name', 'Enter a name'],
		['no URL', { url: '' }, 'URL of the webhook subscription is missing', 'address'],
		['a URL of another kind', { url: null }, 'URL of the webhook subscription is missing', 'address'],
		['a relative URL', { url: '/argyle' }, 'not a web address', 'https://'],
		['a URL of another scheme', { url: 'ftp://example.com' }, 'not a web address', 'https://'],
		['a scheme that only looks right', { url: 'httpsx://example.com' }, 'not a web address', 'https://'],
		['no event', { events: [] }, 'No event', 'Events'],
		['events of another kind', { events: 'user_forms.submitted' }, 'No event', 'Events'],
		['* beside another event', { events: ['*', 'accounts.added'] }, 'All Events', 'single ones'],
		['no Items for an Item event', { events: ['items.updated'] }, 'No Item', 'at least one'],
		['Items of another kind', { events: ['items.updated'], items: 7 }, 'No Item', 'at least one'],
		[
			'31 Items',
			{ events: ['items.updated'], items: Array.from({ length: 31 }, (_, index) => `i${index}`) },
			'31 Items',
			'30',
		],
		['no days', { events: ['gigs.partially_synced'], daysSynced: 0 }, 'Days Synced', '90'],
		['negative days', { events: ['gigs.partially_synced'], daysSynced: -1 }, 'Days Synced', '90'],
		['half days', { events: ['gigs.partially_synced'], daysSynced: 1.5 }, 'Days Synced', '90'],
		['days as text', { events: ['gigs.partially_synced'], daysSynced: 'many' }, 'Days Synced', '90'],
		['days for events that take none', { daysSynced: 90 }, 'Days Synced', 'gigs.partially_synced'],
		['Items for events that take none', { items: ['a'] }, 'Items', 'items.updated'],
		['a resource for events that bring none', { includeResource: true }, 'Include Resource', 'accounts.added'],
		['a resource for all events', { events: ['*'], includeResource: true }, 'Include Resource', 'accounts.added'],
	])('refuses %s', (_, input, message, advice) => {
		expect(refusal(input)).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringMatching(new RegExp(`${advice}.*Nothing was sent`)),
		});
	});
});

describe('isSameConfig', () => {
	it('takes {}, null and nothing for the same', () => {
		for (const stored of [{}, null, undefined, { include_resource: false }, { items: null }])
			expect(isSameConfig(stored, undefined)).toBe(true);
	});

	it('compares values, not their order', () => {
		expect(
			isSameConfig({ items: ['b', 'a'], include_resource: true }, { include_resource: true, items: ['a', 'b'] }),
		).toBe(true);
		expect(isSameConfig({ days_synced: 90 }, { days_synced: 91 })).toBe(false);
		expect(isSameConfig({}, { days_synced: 90 })).toBe(false);
		expect(isSameConfig({ days_synced: 90 }, undefined)).toBe(false);
		expect(isSameConfig({ items: ['a'] }, { items: ['a', 'b'] })).toBe(false);
	});

	it('leaves the stored list as it was', () => {
		const stored = { items: ['b', 'a'] };
		isSameConfig(stored, undefined);
		expect(stored.items).toEqual(['b', 'a']);
	});
});

describe('areSameEvents', () => {
	it('compares the names, not their order', () => {
		expect(areSameEvents(['b', 'a'], ['a', 'b'])).toBe(true);
		expect(areSameEvents(['a'], ['a', 'b'])).toBe(false);
		expect(areSameEvents(['a', 'b'], ['a'])).toBe(false);
		expect(areSameEvents('a', ['a'])).toBe(false);
		expect(areSameEvents(undefined, [])).toBe(false);
	});
});
