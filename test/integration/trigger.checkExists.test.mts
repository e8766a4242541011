import { randomUUID } from 'node:crypto';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import type { Subscription } from '../support/fakeArgyle/index.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();

/** Publishes the trigger, and lets some time pass: what follows is a change of it. */
async function publish() {
	await trigger.activate();
	trigger.activationMode = 'update';
	trigger.service.requests.length = 0;
}

const requests = () => trigger.service.requests.map(({ method, path }) => `${method} ${path}`);

describe('checkExists when n8n starts', () => {
	it.each(['init', 'leadershipChange'] as const)(
		'checkExists returns true without a request at %s, whatever Argyle has, so that n8n keeps the address',
		async (mode) => {
			trigger.activationMode = mode;
			trigger.credential = { ...trigger.credential, baseUrl: 'no address' };
			expect(await trigger.runHook('checkExists')).toBe(true);
			expect(trigger.service.requests).toHaveLength(0);
			expect(trigger.staticData).toEqual({});
		},
	);
});

describe('checkExists at the first publish', () => {
	it('checkExists returns false without a request, because a new subscription tells from when on forms count', async () => {
		await publish();
		trigger.activationMode = 'activate';
		expect(await trigger.runHook('checkExists')).toBe(false);
		expect(trigger.service.requests).toHaveLength(0);
	});
});

describe('checkExists of a changed trigger', () => {
	it('checkExists finds the subscription with one request', async () => {
		await publish();
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(requests()).toEqual(['GET /v2/webhooks']);
	});

	it('checkExists returns false when nothing is known of the trigger, or its subscription was deleted at Argyle', async () => {
		trigger.activationMode = 'update';
		expect(await trigger.runHook('checkExists')).toBe(false);
		await publish();
		trigger.service.subscriptions.clear();
		expect(await trigger.runHook('checkExists')).toBe(false);
	});

	it('checkExists returns false when it is unknown from when on forms count, though the subscription is there', async () => {
		await publish();
		trigger.restart();
		trigger.staticData = {};
		expect(await trigger.runHook('checkExists')).toBe(false);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
	});

	it('checkExists after a restart adopts the subscription, also from the second page', async () => {
		await publish();
		const [own] = trigger.allSubscriptions();
		trigger.service.subscriptions.clear();
		for (let index = 0; index < 205; index++) trigger.foreignSubscription({ created_at: '2020-01-01T00:00:00.000Z' });
		if (own !== undefined) trigger.service.subscriptions.set(own.id, own);
		trigger.restart();
		const before = trigger.state;
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.requestCount('GET')).toBe(2);
		expect(trigger.state).toEqual(before);
		expect(trigger.allSubscriptions()).toHaveLength(206);
	});

	it('checkExists keeps one of several duplicate subscriptions and deletes the others', async () => {
		await publish();
		const [own] = trigger.ownSubscriptions();
		const later = '2099-01-01T00:00:00.000Z';
		trigger.foreignSubscription({ url: trigger.url, events: own?.events, secret: own?.secret, created_at: later });
		trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'], secret: 'b'.repeat(64) });
		const other = trigger.foreignSubscription();
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.allSubscriptions()).toEqual([own, other]);
		expect(trigger.state.registered).toMatchObject({ id: own?.id });
	});

	it.each<[string, (url: URL) => string]>([
		['an upper-case host name', ({ host, pathname }) => `https://${host.toUpperCase()}${pathname}`],
		['the default port', ({ host, pathname }) => `https://${host}:443${pathname}`],
		['an encoded blank', ({ href }) => href],
	])("a subscription whose URL Argyle shows with %s is the trigger's own", async (_, spell) => {
		trigger.webhookBase = `https://${randomUUID()}.example.com/web hook`;
		await publish();
		const [own] = trigger.ownSubscriptions();
		const spelled = spell(new URL(trigger.url));
		expect(spelled).not.toBe(trigger.url);
		if (own !== undefined) own.url = spelled;
		expect(await trigger.runHook('checkExists')).toBe(true);
		trigger.restart();
		await trigger.runHook('delete');
		expect(trigger.allSubscriptions()).toEqual([]);
	});

	it.each<[string, (subscription: Subscription) => void]>([
		['events', (subscription) => (subscription.events = ['user_forms.removed'])],
		['config', (subscription) => (subscription.config = { include_resource: true })],
		['secret', (subscription) => (subscription.secret = null)],
	])(
		'checkExists returns false when the stored %s differs, and create replaces the subscription',
		async (_, change) => {
			await publish();
			const [before] = trigger.allSubscriptions();
			if (before !== undefined) change(before);
			expect(await trigger.runHook('checkExists')).toBe(false);
			expect(await trigger.runHook('create')).toBe(true);
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
		await publish();
		const [own] = trigger.allSubscriptions();
		Object.assign(own ?? {}, {
			name: 'Renamed',
			events: ['user_forms.removed', 'user_forms.submitted'],
			config: null,
		});
		expect(await trigger.runHook('checkExists')).toBe(true);
	});

	it('checkExists fails after retrying for a minute while Argyle answers 503, and deletes nothing', async () => {
		await publish();
		const before = trigger.state;
		const waits = useFakeTime();
		trigger.service.addFault({ kind: 'status', status: 503, times: Infinity });
		const { message } = await failure(trigger.runHook('checkExists'));
		expect(message).toMatch(
			/^Argyle is not available at the moment\. .* Tried \d+ times in 61 s\. When that is done, publish/,
		);
		expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(60_000);
		expect(trigger.allSubscriptions()).toHaveLength(1);
		expect(trigger.state).toEqual(before);
	});
});

describe('bookmark of the trigger', () => {
	const bookmark = () => Date.parse(String(trigger.state.bookmark));
	const createdAt = () => Date.parse(String(trigger.ownSubscriptions()[0]?.created_at));

	it('the bookmark begins when Argyle created the subscription, by its clock', async () => {
		trigger.service.onCreated = async (subscription) => void (subscription.created_at = '2026-05-04T03:02:01.000Z');
		await trigger.activate();
		expect(trigger.state.bookmark).toBe('2026-05-04T03:02:01.000Z');
	});

	it('the bookmark begins now when Argyle does not say when it created the subscription', async () => {
		const before = Date.now();
		trigger.service.onCreated = async (subscription) => void (subscription.created_at = 'today');
		await trigger.activate();
		expect(bookmark()).toBeGreaterThanOrEqual(before);
		expect(bookmark()).toBeLessThanOrEqual(Date.now());
	});

	it.each([false, true])('a changed trigger goes on with its bookmark (n8n restarted: %p)', async (isRestarted) => {
		await publish();
		const before = bookmark();
		useFakeTime();
		advance(600_000);
		if (isRestarted) trigger.restart();
		trigger.parameters = { events: ['*'], options: {} };
		await trigger.runHook('delete');
		await trigger.activate();
		expect(createdAt()).not.toBe(before);
		expect(bookmark()).toBe(before);
	});

	it('a trigger that is published after it was unpublished has a new bookmark', async () => {
		await publish();
		await trigger.runHook('delete');
		trigger.service.onCreated = async (subscription) => void (subscription.created_at = '2099-01-01T00:00:00.000Z');
		trigger.activationMode = 'activate';
		await trigger.activate();
		expect(trigger.state.bookmark).toBe('2099-01-01T00:00:00.000Z');
	});
});
