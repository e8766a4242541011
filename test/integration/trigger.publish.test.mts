import { randomUUID } from 'node:crypto';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import { isJson } from '../support/json.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const HOUR = 3_600_000;
const trigger = useTriggerFixture();

/** Publishes the trigger, and lets some time pass: what follows is a change of it. */
async function publish() {
	await trigger.activate();
	trigger.activationMode = 'update';
	trigger.service.requests.length = 0;
}

/** n8n calls `checkExists` of each trigger that is published when it starts. */
async function restartN8n() {
	trigger.restart();
	trigger.activationMode = 'init';
	await trigger.runHook('checkExists');
	trigger.activationMode = 'update';
}

const requests = () => trigger.service.requests.map(({ method, path }) => `${method} ${path}`);

describe('checkExists', () => {
	it.each([
		['init', true],
		['leadershipChange', true],
		['activate', false],
		['update', false],
		['create', false],
	] as const)(
		'checkExists at %s returns %p without a request: n8n keeps the address at a start, and calls create at a publish',
		async (mode, isStart) => {
			if (!isStart) await publish();
			trigger.activationMode = mode;
			trigger.credential = { ...trigger.credential, baseUrl: 'no address' };
			expect(await trigger.runHook('checkExists')).toBe(isStart);
			expect(trigger.service.requests).toHaveLength(0);
			if (isStart) expect(trigger.staticData).toEqual({});
		},
	);
});

describe('publishing a changed trigger', () => {
	it('publishing finds the subscription with one request', async () => {
		await publish();
		const [own] = trigger.ownSubscriptions();
		await trigger.activate();
		expect(requests()).toEqual(['GET /v2/webhooks']);
		expect(trigger.ownSubscriptions()).toEqual([own]);
	});

	it('publishing after a restart adopts the subscription, also from the second page', async () => {
		await publish();
		const [own] = trigger.allSubscriptions();
		trigger.service.subscriptions.clear();
		for (let index = 0; index < 205; index++) trigger.foreignSubscription({ created_at: '2020-01-01T00:00:00.000Z' });
		if (own !== undefined) trigger.service.subscriptions.set(own.id, own);
		await restartN8n();
		const before = trigger.state;
		await trigger.activate();
		expect(trigger.requestCount('GET')).toBe(2);
		expect(trigger.state).toEqual(before);
		expect(trigger.allSubscriptions()).toHaveLength(206);
	});

	it('publishing keeps one of several duplicate subscriptions and deletes the others', async () => {
		await publish();
		const [own] = trigger.ownSubscriptions();
		const earlier = '2020-01-01T00:00:00.000Z';
		trigger.foreignSubscription({ url: trigger.url, events: own?.events, secret: own?.secret, created_at: earlier });
		trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'], secret: 'b'.repeat(64) });
		const other = trigger.foreignSubscription();
		await trigger.activate();
		expect(trigger.allSubscriptions()).toEqual([own, other]);
		expect(trigger.state.registered).toMatchObject({ id: own?.id });
	});

	it('publishing keeps the subscription when one of its duplicates cannot be deleted, and names that one', async () => {
		await publish();
		const [own] = trigger.ownSubscriptions();
		const duplicate = trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		trigger.service.addFault({ kind: 'status', status: 403, path: `/v2/webhooks/${duplicate.id}`, times: Infinity });
		const error = await failure(trigger.activate());
		expect(error.description).toContain(duplicate.id);
		expect(trigger.allSubscriptions()).toEqual([own, duplicate]);
	});

	it("a subscription whose URL Argyle shows in another spelling is the trigger's own", async () => {
		trigger.webhookBase = `https://${randomUUID()}.example.com/webhook`;
		await publish();
		const [own] = trigger.ownSubscriptions();
		const { host, pathname } = new URL(trigger.url);
		if (own !== undefined) own.url = `https://${host.toUpperCase()}:443${pathname}`;
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toEqual([]);
		expect(trigger.allSubscriptions()).toEqual([own]);
		trigger.restart();
		await trigger.runHook('delete');
		expect(trigger.allSubscriptions()).toEqual([]);
	});

	it('publishing fails after retrying for seconds while Argyle answers 503, and deletes nothing', async () => {
		await publish();
		const before = trigger.state;
		useFakeTime();
		trigger.service.addFault({ kind: 'status', status: 503, times: Infinity });
		const { message } = await failure(trigger.activate());
		expect(message).toMatch(
			/^Argyle is not available at the moment\. .* Tried \d+ times in 5 s\. When that is done, publish/,
		);
		expect(trigger.allSubscriptions()).toHaveLength(1);
		expect(trigger.state).toEqual(before);
	});
});

describe('bookmark of the trigger', () => {
	/** When it begins, or was moved to. */
	const bookmark = () => {
		const { bookmark: stored } = trigger.state;
		return isJson(stored) ? Date.parse(String(stored.time)) : undefined;
	};
	const createdAt = () => Date.parse(String(trigger.ownSubscriptions()[0]?.created_at));
	const submitForm = (createdAt: string) => trigger.service.storeForm({ createdAt }).form;
	const forms = { events: ['user_forms.submitted'], options: {} };

	/** Publishes the trigger, whose bookmark begins with the new subscription. */
	async function expectNewBookmark(): Promise<void> {
		trigger.service.onCreated = async (subscription) => void (subscription.created_at = '2099-01-01T00:00:00.000Z');
		await trigger.activate();
		expect(bookmark()).toBe(Date.parse('2099-01-01'));
	}

	it.each([false, true])('a changed trigger goes on with its bookmark (n8n restarted: %p)', async (isRestarted) => {
		await publish();
		const before = bookmark();
		useFakeTime();
		advance(600_000);
		if (isRestarted) await restartN8n();
		trigger.parameters = { events: ['*'], options: {} };
		await trigger.runHook('delete');
		await trigger.activate();
		expect(createdAt()).not.toBe(before);
		expect(bookmark()).toBe(before);
	});

	it('a trigger that is published an hour after a changed version could not be published goes on with its bookmark', async () => {
		await publish();
		const before = bookmark();
		useFakeTime();
		await trigger.runHook('delete');
		const { parameters } = trigger;
		trigger.parameters = { events: [], options: {} };
		await failure(trigger.activate());
		await trigger.runHook('delete');
		trigger.parameters = parameters;
		advance(HOUR);
		await trigger.runHook('delete');
		await trigger.activate();
		expect(bookmark()).toBe(before);
	});

	it('a trigger that is enabled though its subscription could not be removed has a new bookmark', async () => {
		await publish();
		const before = bookmark();
		useFakeTime();
		trigger.service.addFault({ kind: 'status', status: 403, method: 'DELETE' });
		await failure(trigger.runHook('delete'));
		advance(HOUR);
		const { id } = submitForm(new Date(Date.now()).toISOString());
		await trigger.activate();
		expect(trigger.state.bookmark).toMatchObject({ key: id });
		expect(bookmark()).not.toBe(before);
	});

	it.each(['activate', 'create'] as const)(
		'a trigger that is published after it was unpublished has a new bookmark (%s)',
		async (mode) => {
			await publish();
			await trigger.runHook('delete');
			trigger.activationMode = mode;
			await expectNewBookmark();
		},
	);

	it.each<[string, () => void]>([
		['parameters', () => (trigger.parameters = { events: [], options: {} })],
		['key', () => (trigger.credential = { ...trigger.credential, apiKeySecret: 'wrong' })],
		['address', () => (trigger.credential = { ...trigger.credential, environment: 'production' })],
	])('a first publish after an unpublish that fails for its %s leaves no bookmark of before', async (_, spoil) => {
		await publish();
		await trigger.runHook('delete');
		const { parameters, credential } = trigger;
		spoil();
		trigger.activationMode = 'activate';
		await failure(trigger.activate());
		Object.assign(trigger, { parameters, credential });
		// n8n says so, because it has recorded the version as published.
		trigger.activationMode = 'update';
		await trigger.runHook('delete');
		await expectNewBookmark();
	});

	it.each<[string, object, object]>([
		['the event is added', { events: ['user_forms.removed'], options: {} }, forms],
		['Catch Up is turned on', { ...forms, options: { catchUp: false } }, forms],
		['all events are chosen', { events: ['user_forms.removed'], options: {} }, { events: ['*'], options: {} }],
	])('the bookmark begins when %s, and not before', async (_, before, after) => {
		Object.assign(trigger, { parameters: before });
		await publish();
		expect(trigger.state).not.toHaveProperty('bookmark');
		Object.assign(trigger, { parameters: after });
		await trigger.runHook('delete');
		await expectNewBookmark();
	});

	it('the bookmark begins now, whatever the subscription says that could not be removed before', async () => {
		trigger.parameters = { ...forms, options: { catchUp: false } };
		trigger.service.onCreated = async (subscription) => void (subscription.created_at = '2020-01-01T00:00:00.000Z');
		await publish();
		const newest = submitForm(new Date(Date.now()).toISOString());
		trigger.parameters = forms;
		const before = Date.now();
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.state.bookmark).toMatchObject({ key: newest.id });
		// Argyle tells the time in whole seconds.
		expect(bookmark()).toBeGreaterThan(before - 1_000);
	});

	it('another node that got the name of the trigger begins anew', async () => {
		await publish();
		const { 'node:Node': state } = trigger.staticData;
		trigger.restart();
		trigger.staticData = { 'node:Node': { ...(isJson(state) ? state : {}), owner: 'another' } };
		await trigger.runHook('delete');
		await expectNewBookmark();
	});

	it('a bookmark that an older execution has saved again after Catch Up was turned off does not count', async () => {
		await publish();
		const { staticData } = trigger;
		trigger.parameters = { ...forms, options: { catchUp: false } };
		await trigger.activate();
		trigger.staticData = staticData;
		trigger.parameters = forms;
		await trigger.runHook('delete');
		await expectNewBookmark();
	});
});
