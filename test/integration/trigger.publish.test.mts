import { randomUUID } from 'node:crypto';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

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
			if (isStart) expect(trigger.state).toEqual({});
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
		expect(trigger.state.boundTo).toBe(own?.id);
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
