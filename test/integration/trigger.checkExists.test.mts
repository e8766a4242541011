import type { Subscription } from '../support/fakeArgyle/index.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { activate, hook, stateOf, urlOf } from '../support/n8nCore/trigger.mts';
import { createTriggerFixture, type TriggerFixture } from '../support/n8nCore/triggerFixture.mts';

let stage: TriggerFixture;
let waits: number[];
beforeEach(async () => {
	stage = await createTriggerFixture();
	waits = useFakeTime();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await stage.service.stop();
});

describe('checkExists', () => {
	it('finds the subscription by its id with one request', async () => {
		await activate(stage.trigger);
		stage.service.requests.length = 0;
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
		expect(stage.service.requests.map(({ path }) => path)).toEqual([`/v2/webhooks/${stage.allSubscriptions()[0]?.id}`]);
	});

	it('says no when there is none, or when it was deleted at the service', async () => {
		expect(await hook(stage.trigger, 'checkExists')).toBe(false);
		await activate(stage.trigger);
		stage.service.subscriptions.clear();
		expect(await hook(stage.trigger, 'checkExists')).toBe(false);
	});

	it('adopts its own subscription by URL, with its secret, when the static data was lost: on the second page too', async () => {
		await activate(stage.trigger);
		const [mine] = stage.allSubscriptions();
		stage.service.subscriptions.clear();
		for (let index = 0; index < 205; index++) stage.foreignSubscription({ created_at: '2020-01-01T00:00:00.000Z' });
		if (mine !== undefined) stage.service.subscriptions.set(mine.id, mine);
		stage.trigger.staticData = {};
		stage.service.requests.length = 0;
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
		expect(stage.requestCount('GET')).toBe(2);
		expect(stateOf(stage.trigger)).toEqual({
			subscriptionId: mine?.id,
			url: urlOf(stage.trigger),
			secret: mine?.secret,
		});
		expect(stage.allSubscriptions()).toHaveLength(206);
	});

	it('keeps one of several twins and removes the others', async () => {
		await activate(stage.trigger);
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['user_forms.submitted'], secret: 'a'.repeat(64) });
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['accounts.added'], secret: 'b'.repeat(64) });
		stage.trigger.staticData = {};
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
		expect(stage.ownSubscriptions()).toHaveLength(1);
		expect(stateOf(stage.trigger).subscriptionId).toBe(stage.ownSubscriptions()[0]?.id);
		expect(stateOf(stage.trigger).secret).toBe(stage.ownSubscriptions()[0]?.secret);
	});

	it('retires the secret it knew when it adopts another subscription', async () => {
		await activate(stage.trigger);
		const known = stateOf(stage.trigger).secret;
		stage.service.subscriptions.clear();
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['user_forms.submitted'], secret: 'a'.repeat(64) });
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
		expect(stateOf(stage.trigger)).toMatchObject({ secret: 'a'.repeat(64), retired: [{ secret: known }] });
	});

	it('finds by URL what it knows the secret of but not the id, and retires nothing', async () => {
		await activate(stage.trigger);
		const { secret } = stateOf(stage.trigger);
		stage.trigger.staticData = { 'node:Node': { secret: String(secret) } };
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
		expect(stateOf(stage.trigger)).toEqual({
			subscriptionId: stage.allSubscriptions()[0]?.id,
			url: urlOf(stage.trigger),
			secret,
		});
	});

	it.each([null, '', 'short', 'A'.repeat(64)])('does not adopt a subscription whose secret is %p', async (secret) => {
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['user_forms.submitted'], secret });
		expect(await hook(stage.trigger, 'checkExists')).toBe(false);
	});

	it.each<[string, (mine: Subscription) => void]>([
		['events', (mine) => (mine.events = ['user_forms.removed'])],
		['config', (mine) => (mine.config = { include_resource: true })],
		['secret', (mine) => (mine.secret = null)],
		['URL', (mine) => (mine.url = 'https://old.example.com')],
	])('says no when the %s differ, and create replaces the subscription', async (_, drift) => {
		await activate(stage.trigger);
		const [before] = stage.allSubscriptions();
		if (before !== undefined) drift(before);
		expect(await hook(stage.trigger, 'checkExists')).toBe(false);
		await hook(stage.trigger, 'create');
		expect(stage.allSubscriptions()).toHaveLength(1);
		expect(stage.allSubscriptions()[0]).toMatchObject({
			url: urlOf(stage.trigger),
			events: ['user_forms.submitted'],
			config: {},
		});
		expect(stage.allSubscriptions()[0]?.id).not.toBe(before?.id);
	});

	it('does not mind another name, another order of events, or config null', async () => {
		stage.trigger.parameters = { events: ['user_forms.submitted', 'user_forms.removed'], options: {} };
		await activate(stage.trigger);
		const [mine] = stage.allSubscriptions();
		Object.assign(mine ?? {}, {
			name: 'Renamed',
			events: ['user_forms.removed', 'user_forms.submitted'],
			config: null,
		});
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
	});

	it('fails in words when the service can not be asked, and removes nothing', async () => {
		await activate(stage.trigger);
		stage.service.addFault({ kind: 'status', status: 503, times: Infinity });
		const { message } = await failure(hook(stage.trigger, 'checkExists'));
		expect(message).toMatch(/^Argyle is not available at the moment\. .* Tried \d+ times in 61 s\. Then publish/);
		expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(60_000);
		expect(stage.allSubscriptions()).toHaveLength(1);
		expect(stateOf(stage.trigger).subscriptionId).toBe(stage.allSubscriptions()[0]?.id);
	});

	it("removes the old subscription when n8n's own address changed", async () => {
		await activate(stage.trigger);
		const old = urlOf(stage.trigger);
		stage.foreignSubscription({ url: old, events: ['user_forms.submitted'], secret: 'c'.repeat(64) });
		stage.trigger.webhookBase = 'https://new.example.com/webhook';
		await activate(stage.trigger);
		expect(stage.allSubscriptions().map(({ url }) => url)).toEqual([urlOf(stage.trigger)]);
		expect(urlOf(stage.trigger)).not.toBe(old);
	});
});
