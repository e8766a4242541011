import type { SubscriptionConfig } from '../../../../nodes/Argyle/api/subscriptionRequest';
import { readSettings } from '../../../../nodes/Argyle/trigger/state/settings';
import { desiredSubscription, matches } from '../../../../nodes/Argyle/trigger/subscription/desiredSubscription';

const url = 'https://n8n.example.com/webhook';
const events = ['accounts.added', 'gigs.partially_synced'];
const secret = 'a'.repeat(64);

const desired = (fields: object = {}) => ({ request: { name: 'Forms', url, events, ...fields }, secret });

const matchesEvents = (stored: string[] | string | undefined, wanted: string[]) =>
	matches({ id: '1', secret, url, events: stored }, desired({ events: wanted }));

const matchesConfig = (stored: SubscriptionConfig | object | null | undefined, config?: SubscriptionConfig) =>
	matches({ id: '1', secret, url, events, config: stored }, desired({ config }));

describe('matches', () => {
	it('ignores the name, compares the URL and the secret', () => {
		const stored = { id: '1', name: 'Renamed', secret, url, events };
		expect(matches(stored, desired())).toBe(true);
		expect(matches({ ...stored, url: 'https://N8N.example.com:443/webhook' }, desired())).toBe(true);
		expect(matches({ ...stored, url: `${url}/` }, desired())).toBe(false);
		for (const other of ['b'.repeat(64), null, undefined])
			expect(matches({ ...stored, secret: other }, desired())).toBe(false);
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
		const stored = { items: ['b', 'a'], include_resource: true };
		expect(matchesConfig(stored, { include_resource: true, items: ['a', 'b'] })).toBe(true);
		expect(matchesConfig({ days_synced: 90 }, { days_synced: 91 })).toBe(false);
		expect(matchesConfig({}, { days_synced: 90 })).toBe(false);
		expect(matchesConfig({ days_synced: 90 })).toBe(false);
		expect(matchesConfig({ items: ['a'] }, { items: ['a', 'b'] })).toBe(false);
	});

	it('leaves the stored subscription as it was', () => {
		const stored = { items: ['b', 'a'] };
		matchesConfig(stored);
		expect(stored.items).toEqual(['b', 'a']);
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
