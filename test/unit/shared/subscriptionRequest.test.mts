import { subscriptionRequest } from '../../../nodes/Argyle/shared/subscriptionRequest';

const valid = { name: 'Forms', url: 'https://example.com/argyle', events: ['user_forms.submitted'] };
const errorFor = (input: object) => {
	try {
		subscriptionRequest({ ...valid, ...input });
	} catch (error) {
		return error;
	}
	throw new Error('subscriptionRequest did not throw');
};

describe('subscriptionRequest', () => {
	it('leaves config out of the request when no setting is given', () => {
		expect(subscriptionRequest(valid)).toEqual(valid);
		expect(subscriptionRequest({ ...valid, includeResource: false, daysSynced: '', items: [] })).toEqual(valid);
		expect(subscriptionRequest({ ...valid, items: ['', ''] })).toEqual(valid);
		expect(subscriptionRequest({ ...valid, daysSynced: null, items: '' })).toEqual(valid);
	});

	it('trims name and URL, otherwise keeps the URL as written, and drops repeated events', () => {
		const request = subscriptionRequest({
			name: ' Forms ',
			url: ' http://example.com/a b?c=ä ',
			events: ['gigs.added', 'gigs.added', '', 7, 'gigs.removed'],
		});
		const events = ['gigs.added', 'gigs.removed'];
		expect(request).toEqual({ name: 'Forms', url: 'http://example.com/a b?c=ä', events });
	});

	it.each([
		' gigs.added, gigs.removed,',
		'["gigs.added", "gigs.removed"]',
		"['gigs.added','gigs.removed']",
		'gigs.added\ngigs.removed',
		'Gigs.Added; "gigs.removed"',
		['gigs.added, gigs.removed'],
	])('reads the events %j, as expressions and language models give them', (events) =>
		expect(subscriptionRequest({ ...valid, events }).events).toEqual(['gigs.added', 'gigs.removed']),
	);

	it.each(['user_form.submitted', 'Form', '7'])('says what names look like for "%s", which there is not', (event) =>
		expect(errorFor({ events: event })).toMatchObject({
			message: `Argyle has no event "${event.toLowerCase()}"`,
			description: expect.stringMatching(/^Names look like user_forms\.submitted\./),
		}),
	);

	it('shows no social security number that was entered as an event', () =>
		expect(errorFor({ events: '522-09-1191' })).toMatchObject({ message: 'Argyle has no event "•••"' }));

	it.each([
		['accounts.added', { includeResource: true }, { include_resource: true }],
		['gigs.partially_synced', { daysSynced: 90 }, { days_synced: 90 }],
		['items.updated', { items: [' item_1 ', 'item_2', 'item_1', ''] }, { items: ['item_1', 'item_2'] }],
		['items.removed', { items: 'item_1, item_2,' }, { items: ['item_1', 'item_2'] }],
	])("sends with the event %s the setting %j under Argyle's own config key: %j", (event, setting, config) =>
		expect(subscriptionRequest({ ...valid, events: [event], ...setting }).config).toEqual(config),
	);

	it('accepts a subscription with 30 Items', () => {
		const items = Array.from({ length: 30 }, (_, index) => `item_${index}`);
		expect(subscriptionRequest({ ...valid, events: ['items.updated'], items }).config?.items).toHaveLength(30);
	});

	it('accepts * as the only event of a subscription', () =>
		expect(subscriptionRequest({ ...valid, events: ['*'] }).events).toEqual(['*']));

	it.each<[string, object, string, string]>([
		['no name', { name: ' ' }, 'Name', 'Enter a name'],
		['a name that is not text', { name: 7 }, 'Name', 'Enter a name'],
		['no URL', { url: '' }, 'URL of the webhook subscription is missing', 'address'],
		['a URL that is not text', { url: null }, 'URL of the webhook subscription is missing', 'address'],
		['a relative URL', { url: '/argyle' }, 'not a web address', 'https://'],
		['an ftp URL', { url: 'ftp://example.com' }, 'not a web address', 'https://'],
		['a URL scheme that only ends like https', { url: 'xhttps://example.com' }, 'not a web address', 'https://'],
		['a URL scheme that only begins like https', { url: 'httpsx://example.com' }, 'not a web address', 'https://'],
		['no event', { events: [] }, 'No event', 'Events'],
		['events that are neither a list nor text', { events: { 0: 'gigs.added' } }, 'No event', 'Events'],
		[
			'an event that there is not beside others',
			{ events: ['gigs.added', 'gigs'] },
			'no event "gigs"',
			'user_forms.submitted',
		],
		['* beside another event', { events: ['*', 'accounts.added'] }, 'All Events', 'single ones'],
		['an Item event but no Items', { events: ['items.updated'] }, 'Items is empty', 'at least one'],
		['Items that are objects', { events: ['items.updated'], items: [{ id: 'a' }] }, 'an object', 'item_000041078'],
		['an Item by its name', { events: ['items.updated'], items: 'Whole Goods' }, 'Whole Goods', 'item_000041078'],
		[
			'31 Items',
			{ events: ['items.updated'], items: Array.from({ length: 31 }, (_, index) => `item_${index}`) },
			'31 Items',
			'30',
		],
		['0 Days Synced', { events: ['gigs.partially_synced'], daysSynced: 0 }, 'Days Synced', '90'],
		['negative Days Synced', { events: ['gigs.partially_synced'], daysSynced: -1 }, 'Days Synced', '90'],
		['fractional Days Synced', { events: ['gigs.partially_synced'], daysSynced: 1.5 }, 'Days Synced', '90'],
		[
			'Days Synced that is not a number',
			{ events: ['gigs.partially_synced'], daysSynced: 'many' },
			'Days Synced',
			'90',
		],
		[
			'Include Resource that is neither on nor off',
			{ includeResource: 'maybe' },
			'neither on nor off',
			'true or false',
		],
		['Days Synced for an event that does not take it', { daysSynced: 90 }, 'Days Synced', 'gigs.partially_synced'],
		['Items for an event that does not take them', { items: ['item_1'] }, 'Items', 'items.updated'],
		[
			'Include Resource for an event that does not take it',
			{ includeResource: true },
			'Include Resource',
			'accounts.added',
		],
		['Include Resource for all events', { events: ['*'], includeResource: true }, 'Include Resource', 'accounts.added'],
	])('refuses a subscription with %s', (_, input, message, advice) => {
		expect(errorFor(input)).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringMatching(new RegExp(`${advice}.*Nothing was sent`)),
		});
	});
});
