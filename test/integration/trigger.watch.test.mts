import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { clock } from '../../nodes/Argyle/utils/clock';
import type { Subscription } from '../support/fakeArgyle/index.mts';
import { advance } from '../support/fakeTime.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';
import { until } from '../support/n8n/until.mts';

const MINUTE = 60_000;
const FIVE_MINUTES = 5 * MINUTE;

const { trigger, nextLook, looks, lookAfter, missForm, startAfter, startWatch, close, publish } = useWatchedTrigger();

/** Starts n8n anew; resolves before the first look. */
async function start(): Promise<void> {
	await startAfter(0);
	trigger.service.requests.length = 0;
}

const methods = () => trigger.service.requests.map(({ method }) => method);

describe('look at the subscription', () => {
	it('a start of n8n without any change costs two requests, and an unpublish after it one', async () => {
		await start();
		expect(await nextLook()).toBeLessThan(FIVE_MINUTES);
		expect(trigger.service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /v2/webhooks',
			'GET /v2/user-forms',
		]);
		trigger.service.requests.length = 0;
		await trigger.runHook('delete');
		expect(methods()).toEqual(['DELETE']);
	});

	it.each([
		['webhook', 100_000, 185_000],
		['polling', 45_000, 15_000],
	])('the second look comes when all other triggers of the process look (%s)', async (receiveBy, laterMs, restMs) => {
		trigger.parameters = { ...trigger.parameters, receiveBy };
		trigger.uptime += laterMs;
		await start();
		expect(await nextLook()).toBe(restMs);
	});

	it('an unpublish after a look also removes a subscription that the list did not show to that look yet', async () => {
		await startWatch();
		const [before] = trigger.ownSubscriptions();
		if (before === undefined) throw new Error('there is no subscription');
		trigger.service.subscriptions.delete(before.id);
		await nextLook();
		trigger.service.subscriptions.set(before.id, before);
		expect(trigger.ownSubscriptions()).toHaveLength(2);
		await trigger.runHook('delete');
		expect(trigger.ownSubscriptions()).toEqual([]);
	});

	it('a look soon after a publish does not take the subscription that the publish removed for the present one', async () => {
		await startWatch();
		await nextLook();
		await publish({}, 'update');
		await startWatch();
		await nextLook();
		expect(trigger.state.boundTo).toBe(trigger.ownSubscriptions()[0]?.id);
	});

	it.each<[string, (subscription: Subscription) => void]>([
		['was deleted', ({ id }) => trigger.service.subscriptions.delete(id)],
		['has other events', (subscription) => (subscription.events = ['accounts.added'])],
		['has another secret', (subscription) => (subscription.secret = 'a'.repeat(64))],
		['has another config', (subscription) => (subscription.config = { include_resource: true })],
		['sends elsewhere', (subscription) => (subscription.url = 'https://elsewhere.example.com')],
	])('a subscription that %s at Argyle is registered again', async (_, change) => {
		await start();
		await nextLook();
		const [before] = trigger.ownSubscriptions();
		if (before === undefined) throw new Error('there is no subscription');
		const { secret } = before;
		change(before);
		await nextLook();
		expect(trigger.ownSubscriptions()).toMatchObject([{ events: ['user_forms.submitted'], secret, config: {} }]);
		expect(trigger.ownSubscriptions()[0]?.id).not.toBe(before.id);
		trigger.service.requests.length = 0;
		await trigger.runHook('delete');
		expect(methods()).toEqual(['DELETE']);
	});

	it('a start without static data keeps the subscription, since whose beginning forms are wanted', async () => {
		const [own] = trigger.ownSubscriptions();
		missForm(MINUTE);
		trigger.staticData = {};
		advance(MINUTE);
		const missed = missForm();
		await lookAfter(5 * MINUTE);
		expect(trigger.ownSubscriptions()).toEqual([own]);
		expect(trigger.startedForms()).toEqual([missed]);
	});
});

describe('end of the watch', () => {
	it('after the workflow was closed nothing is asked for', async () => {
		await start();
		await nextLook();
		await close();
		trigger.service.requests.length = 0;
		trigger.service.subscriptions.clear();
		advance(FIVE_MINUTES);
		await new Promise((resolve) => setImmediate(resolve));
		expect(trigger.service.requests).toEqual([]);
	});

	it('a subscription that is being registered when the workflow is closed is removed again', async () => {
		await start();
		for (const { id } of trigger.ownSubscriptions()) trigger.service.subscriptions.delete(id);
		trigger.service.onCreated = async () => await close();
		void nextLook();
		await new Promise((resolve) => setImmediate(resolve));
		await until('the new subscription is removed', 5_000, async () =>
			methods().includes('DELETE') ? true : undefined,
		);
		expect(trigger.ownSubscriptions()).toEqual([]);
	});

	it('an unpublished workflow has no subscription, whatever the watch was doing', async () => {
		await start();
		for (const { id } of trigger.ownSubscriptions()) trigger.service.subscriptions.delete(id);
		let deletion: Promise<unknown> = Promise.resolve();
		trigger.service.onCreated = async () => {
			deletion = trigger.runHook('delete');
		};
		await nextLook();
		await deletion;
		expect(trigger.ownSubscriptions()).toEqual([]);
		trigger.service.onCreated = async () => {};
		await nextLook();
		expect(trigger.ownSubscriptions()).toEqual([]);
	});

	it('a workflow that is unpublished while the watch reads the list has no subscription created', async () => {
		await start();
		for (const { id } of trigger.ownSubscriptions()) trigger.service.subscriptions.delete(id);
		const { requests } = trigger.service;
		const add = requests.push.bind(requests);
		let deletion: Promise<unknown> = Promise.resolve();
		jest.spyOn(requests, 'push').mockImplementationOnce((...received) => {
			deletion = trigger.runHook('delete');
			return add(...received);
		});
		await nextLook();
		await deletion;
		expect(methods()).not.toContain('POST');
	});

	it('a watch that n8n has left running ends when a publish begins another', async () => {
		const signals = () => jest.mocked(clock.pause).mock.calls.flatMap(([, signal]) => signal ?? []);
		await startWatch();
		trigger.activationMode = 'update';
		await startWatch();
		expect(new Set(signals())).toHaveProperty('size', 2);
		expect(signals().map(({ aborted }) => aborted)).toEqual([true, false]);
	});

	it('a test event of a published workflow does not end the watch', async () => {
		await start();
		trigger.isTest = true;
		await trigger.activate();
		await trigger.runHook('delete');
		trigger.isTest = false;
		trigger.service.requests.length = 0;
		expect(await nextLook()).toBe(FIVE_MINUTES - 15_000);
		expect(methods()).toEqual(['GET', 'GET']);
	});

	it('a trigger whose registration failed is not looked after', async () => {
		await trigger.runHook('delete');
		await startWatch();
		trigger.service.requests.length = 0;
		expect(await nextLook()).toBe(30_000);
		expect(trigger.service.requests).toEqual([]);
	});
});

describe('trouble', () => {
	it('after ten failures in a row a service that is away is asked every five minutes', async () => {
		await start();
		trigger.service.addFault({ kind: 'status', status: 503, headers: { 'Retry-After': '20' }, times: Infinity });
		const delays: number[] = [];
		for (let look = 0; look < 12; look++) delays.push(await nextLook());
		expect(delays.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 30_000));
		expect(delays[10]).toBeGreaterThan(4 * MINUTE);
		expect(trigger.warnings).toEqual([expect.stringContaining("Argyle can't start it")]);
		expect(trigger.failedExecutions).toEqual([]);
	});

	it('a key that is refused for a quarter of an hour becomes one failed execution, and another after a day', async () => {
		await start();
		trigger.service.key = { id: 'revoked', secret: 'revoked' };
		await looks(3);
		expect(trigger.failedExecutions).toEqual([]);
		await looks(5);
		expect(trigger.failedExecutions).toHaveLength(1);
		const [error] = trigger.failedExecutions;
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error?.message).toMatch(/^This workflow is published, but Argyle can't start it: Authorization failed/);
		for (let look = 0; look < 72; look++) {
			advance(20 * MINUTE);
			await nextLook();
		}
		expect(trigger.failedExecutions).toHaveLength(2);
	});

	it('a failure that is over is forgotten, and the next one is reported after a quarter of an hour again', async () => {
		await start();
		const { key } = trigger.service;
		for (let failure = 1; failure <= 2; failure++) {
			trigger.service.key = { id: 'revoked', secret: 'revoked' };
			await nextLook();
			expect(trigger.failedExecutions).toHaveLength(failure - 1);
			advance(16 * MINUTE);
			await nextLook();
			expect(trigger.failedExecutions).toHaveLength(failure);
			trigger.service.key = key;
			await nextLook();
		}
		// The log has each failure once, and not once for each look.
		expect(trigger.warnings.filter((warning) => warning.includes("Argyle can't start it"))).toHaveLength(2);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
	});

	it('an address that n8n itself does not know becomes a failed execution, and forms start all the same', async () => {
		await lookAfter(10 * MINUTE);
		trigger.receiver.isRegistered = false;
		const form = missForm(3 * MINUTE);
		await nextLook();
		expect(trigger.startedForms()).toEqual([form]);
		await looks(3);
		expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([
			expect.stringContaining('n8n itself does not know the address of this trigger'),
		]);
		trigger.receiver.isRegistered = true;
		await nextLook();
		advance(24 * 60 * MINUTE);
		await nextLook();
		expect(trigger.failedExecutions).toHaveLength(1);
	});

	it('each look calls the own address once', async () => {
		await start();
		const webhook = jest.spyOn(trigger, 'runWebhook');
		await looks(3);
		missForm(3 * MINUTE);
		await looks(1);
		expect(webhook).toHaveBeenCalledTimes(4);
	});

	it('an address that cannot be called from inside, or answers something else, is no trouble', async () => {
		await start();
		advance(60 * MINUTE);
		await trigger.receiver.stop();
		await looks(5);
		await trigger.receiver.start();
		expect([trigger.failedExecutions, trigger.warnings]).toEqual([[], []]);
	});

	it.each<[string, () => void, string]>([
		[
			'a parameter whose expression fails when n8n starts',
			() => (trigger.parameters = { ...trigger.parameters, events: '={{ $("Nowhere").item.json }}' }),
			"Referenced node doesn't exist",
		],
		[
			"an address that Argyle can't reach",
			() => {
				trigger.webhookBase = 'http://localhost:5678/webhook';
				trigger.credential = { ...trigger.credential, environment: 'production' };
			},
			"Argyle can't reach this n8n at http://localhost:5678",
		],
	])('%s becomes a failed execution without any request', async (_, spoil, words) => {
		spoil();
		await start();
		await nextLook();
		advance(16 * MINUTE);
		await nextLook();
		expect(trigger.failedExecutions).toMatchObject([{ message: expect.stringContaining(words) }]);
		expect(trigger.failedExecutions[0]).toBeInstanceOf(NodeOperationError);
		expect(trigger.service.requests).toEqual([]);
	});
});
