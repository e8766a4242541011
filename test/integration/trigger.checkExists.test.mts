import { useFakeTime } from '../support/fakeTime.mts';
import type { Subscription } from '../support/fakeArgyle/index.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();

describe('checkExists of the trigger', () => {
	it('checkExists finds the subscription by its stored ID with one request', async () => {
		await trigger.activate();
		trigger.service.requests.length = 0;
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.service.requests.map(({ path }) => path)).toEqual([
			`/v2/webhooks/${trigger.allSubscriptions()[0]?.id}`,
		]);
	});

	it('checkExists returns false when the trigger was never activated or its subscription was deleted at Argyle', async () => {
		expect(await trigger.runHook('checkExists')).toBe(false);
		await trigger.activate();
		trigger.service.subscriptions.clear();
		expect(await trigger.runHook('checkExists')).toBe(false);
	});

	it('checkExists without static data adopts the subscription with its URL and secret, also from the second page', async () => {
		await trigger.activate();
		const [own] = trigger.allSubscriptions();
		trigger.service.subscriptions.clear();
		for (let index = 0; index < 205; index++) trigger.foreignSubscription({ created_at: '2020-01-01T00:00:00.000Z' });
		if (own !== undefined) trigger.service.subscriptions.set(own.id, own);
		trigger.staticData = {};
		trigger.service.requests.length = 0;
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.requestCount('GET')).toBe(2);
		expect(trigger.state).toEqual({
			subscriptionId: own?.id,
			url: trigger.url,
			secret: own?.secret,
		});
		expect(trigger.allSubscriptions()).toHaveLength(206);
	});

	it('checkExists keeps one of several duplicate subscriptions and deletes the others', async () => {
		await trigger.activate();
		trigger.foreignSubscription({ url: trigger.url, events: ['user_forms.submitted'], secret: 'a'.repeat(64) });
		trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'], secret: 'b'.repeat(64) });
		trigger.staticData = {};
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.state.subscriptionId).toBe(trigger.ownSubscriptions()[0]?.id);
		expect(trigger.state.secret).toBe(trigger.ownSubscriptions()[0]?.secret);
	});

	it('checkExists keeps the old secret valid for a while when it adopts another subscription', async () => {
		await trigger.activate();
		const known = trigger.state.secret;
		trigger.service.subscriptions.clear();
		trigger.foreignSubscription({ url: trigger.url, events: ['user_forms.submitted'], secret: 'a'.repeat(64) });
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.state).toMatchObject({ secret: 'a'.repeat(64), retired: [{ secret: known }] });
	});

	it('checkExists finds a subscription by URL when only its secret is stored, and retires no secret', async () => {
		await trigger.activate();
		const { secret } = trigger.state;
		trigger.staticData = { 'node:Node': { secret: String(secret) } };
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.state).toEqual({
			subscriptionId: trigger.allSubscriptions()[0]?.id,
			url: trigger.url,
			secret,
		});
	});

	it.each([null, '', 'short', 'A'.repeat(64)])(
		'checkExists does not adopt a subscription whose secret is %p',
		async (secret) => {
			trigger.foreignSubscription({ url: trigger.url, events: ['user_forms.submitted'], secret });
			expect(await trigger.runHook('checkExists')).toBe(false);
		},
	);

	it.each<[string, (subscription: Subscription) => void]>([
		['events', (subscription) => (subscription.events = ['user_forms.removed'])],
		['config', (subscription) => (subscription.config = { include_resource: true })],
		['secret', (subscription) => (subscription.secret = null)],
		['URL', (subscription) => (subscription.url = 'https://old.example.com')],
	])(
		'checkExists returns false when the stored %s differs, and create replaces the subscription',
		async (_, change) => {
			await trigger.activate();
			const [before] = trigger.allSubscriptions();
			if (before !== undefined) change(before);
			expect(await trigger.runHook('checkExists')).toBe(false);
			await trigger.runHook('create');
			expect(trigger.allSubscriptions()).toHaveLength(1);
			expect(trigger.allSubscriptions()[0]).toMatchObject({
				url: trigger.url,
				events: ['user_forms.submitted'],
				config: {},
			});
			expect(trigger.allSubscriptions()[0]?.id).not.toBe(before?.id);
		},
	);

	it('checkExists accepts another name, another order of events, and config null', async () => {
		trigger.parameters = { events: ['user_forms.submitted', 'user_forms.removed'], options: {} };
		await trigger.activate();
		const [own] = trigger.allSubscriptions();
		Object.assign(own ?? {}, {
			name: 'Renamed',
			events: ['user_forms.removed', 'user_forms.submitted'],
			config: null,
		});
		expect(await trigger.runHook('checkExists')).toBe(true);
	});

	it('checkExists fails after retrying for a minute while Argyle answers 503, and deletes nothing', async () => {
		await trigger.activate();
		const waits = useFakeTime();
		trigger.service.addFault({ kind: 'status', status: 503, times: Infinity });
		const { message } = await failure(trigger.runHook('checkExists'));
		expect(message).toMatch(/^Argyle is not available at the moment\. .* Tried \d+ times in 61 s\. Then publish/);
		expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(60_000);
		expect(trigger.allSubscriptions()).toHaveLength(1);
		expect(trigger.state.subscriptionId).toBe(trigger.allSubscriptions()[0]?.id);
	});

	it('activating under a new webhook URL of n8n deletes the subscription with the old URL', async () => {
		await trigger.activate();
		const old = trigger.url;
		trigger.foreignSubscription({ url: old, events: ['user_forms.submitted'], secret: 'c'.repeat(64) });
		trigger.webhookBase = 'https://new.example.com/webhook';
		await trigger.activate();
		expect(trigger.allSubscriptions().map(({ url }) => url)).toEqual([trigger.url]);
		expect(trigger.url).not.toBe(old);
	});
});
