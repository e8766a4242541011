import type { SubscriptionConfig } from '../../../../nodes/Argyle/api/subscriptions';
import { readSettings } from '../../../../nodes/Argyle/trigger/state/settings';
import {
	desiredSubscription,
	isDesired,
	rememberCreated,
} from '../../../../nodes/Argyle/trigger/subscription/desiredSubscription';

const url = 'https://n8n.example.com/webhook';
const events = ['accounts.added', 'gigs.partially_synced'];
const secret = 'a'.repeat(64);

const desired = (fields: object = {}) => ({ request: { name: 'Forms', url, events, ...fields }, secret });

const matchesEvents = (stored: string[] | string | undefined, wanted: string[]) =>
	isDesired({ id: '1', secret, url, events: stored }, desired({ events: wanted }));

const matchesConfig = (stored: SubscriptionConfig | object | null | undefined, config?: SubscriptionConfig) =>
	isDesired({ id: '1', secret, url, events, config: stored }, desired({ config }));

describe('isDesired', () => {
	it('ignores the name, compares the URL and the secret', () => {
		const stored = { id: '1', name: 'Renamed', secret, url, events };
		expect(isDesired(stored, desired())).toBe(true);
		expect(isDesired({ ...stored, url: 'https://N8N.example.com:443/webhook' }, desired())).toBe(true);
		expect(isDesired({ ...stored, url: `${url}/` }, desired())).toBe(false);
		for (const other of ['b'.repeat(64), null, undefined])
			expect(isDesired({ ...stored, secret: other }, desired())).toBe(false);
	});

	it('compares event names in any order', () => {
		expect(matchesEvents(['b', 'a'], ['a', 'b'])).toBe(true);
		expect(matchesEvents(['a'], ['a', 'b'])).toBe(false);
		expect(matchesEvents(['a', 'b'], ['a'])).toBe(false);
		expect(matchesEvents('a', ['a'])).toBe(false);
		expect(matchesEvents(undefined, [])).toBe(false);
	});

	it('treats an empty, null or switched-off config as none', () => {
		for (const stored of [{}, null, undefined, { include_resource: false }, { items: null }])
			expect(matchesConfig(stored)).toBe(true);
	});

	it('compares config values in any order', () => {
		// What is stored stays as it is.
		const stored = { items: Object.freeze(['b', 'a']), include_resource: true };
		expect(matchesConfig(stored, { include_resource: true, items: ['a', 'b'] })).toBe(true);
		expect(matchesConfig({ days_synced: 90 }, { days_synced: 91 })).toBe(false);
		expect(matchesConfig({}, { days_synced: 90 })).toBe(false);
		expect(matchesConfig({ days_synced: 90 })).toBe(false);
		expect(matchesConfig({ items: ['a'] }, { items: ['a', 'b'] })).toBe(false);
	});
});

describe('isDesired, of what this process created', () => {
	const request = { name: 'n', url, events: ['*'], config: {} };

	/** What the service, which names each event, answered when it created the subscription. */
	const created = { id: 's', url, events: ['users.fully_synced', 'accounts.added'], secret };
	beforeEach(() => rememberCreated(created, { request, secret }));

	it.each<[string, object, boolean]>([
		['as it was created', {}, true],
		['with its events in another order', { events: ['accounts.added', 'users.fully_synced'] }, true],
		['with its URL in other words', { url: 'HTTPS://n8n.example.com:443/webhook' }, true],
		['without its secret', { secret: undefined }, true],
		['with its secret behind asterisks', { secret: '***' }, true],
		['with the end of its secret behind dots', { secret: '••••cret' }, true],
		['with a short secret of its own', { secret: '**' }, false],
		['with another secret', { secret: 'other' }, false],
		['with its secret taken out', { secret: null }, false],
		['with a secret that is no text', { secret: ['***'] }, false],
		['with other events', { events: ['accounts.added'] }, false],
		['with a config', { config: { include_resource: true } }, false],
		['with another URL', { url: 'https://elsewhere.example.com/webhook' }, false],
		['with another ID', { id: 'other' }, false],
	])('is the desired one when the list shows it %s: %p', (_, listed, expected) => {
		expect(isDesired({ ...created, ...listed }, { request, secret })).toBe(expected);
	});

	it('is not the desired one any more when the list hides the secret and another one is wished for', () => {
		const listed = { ...created, secret: '***' };
		expect(isDesired(listed, { request, secret: 'of another key' })).toBe(false);
		expect(isDesired(listed, { request: { ...request, events: ['accounts.added'] }, secret })).toBe(false);
	});

	it('is another one at another URL', () => {
		const elsewhere = 'https://elsewhere.example.com/webhook';
		expect(isDesired({ ...created, url: elsewhere }, { request: { ...request, url: elsewhere }, secret })).toBe(false);
	});

	it('is as desired when it says all that is wished for, whoever created it', () => {
		expect(isDesired({ id: 'foreign', url, events: ['*'], secret }, { request, secret })).toBe(true);
	});
});

describe('desiredSubscription', () => {
	const desiredWith = (options: unknown) => {
		const parameters: Record<string, unknown> = { options, events };
		const settings = readSettings({
			getNodeParameter: (name: string, fallback: unknown) => (name in parameters ? parameters[name] : fallback),
			getWorkflow: () => ({ name: 'To CRM' }),
		});
		return desiredSubscription(settings, url, { apiKeySecret: 'key' }).request;
	};

	it('is named after the workflow unless the options name it, whatever the options are', () => {
		for (const options of [{}, { subscriptionName: '  ' }, { subscriptionName: 7 }, 'none', null, []])
			expect(desiredWith(options)).toEqual({ name: 'n8n – To CRM', url, events });
		expect(desiredWith({ subscriptionName: ' Forms ' }).name).toBe('Forms');
	});
});
