import { subscriptionRequest } from '../../../nodes/Argyle/api/subscriptionRequest';

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
