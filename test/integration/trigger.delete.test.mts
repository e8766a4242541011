import { NodeApiError } from 'n8n-workflow';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
beforeEach(() => {
	useFakeTime();
});

describe('delete of the trigger', () => {
	it('delete removes the subscription and keeps only its secret, for the overlap', async () => {
		await trigger.activate();
		const { secret } = trigger.state;
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.allSubscriptions()).toHaveLength(0);
		expect(trigger.state).toEqual({ retired: [{ secret, until: expect.any(Number) }] });
	});

	it('delete succeeds when the subscription is already gone', async () => {
		await trigger.activate();
		trigger.service.subscriptions.clear();
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.state).not.toHaveProperty('subscriptionId');
		expect(await trigger.runHook('delete')).toBe(true);
	});

	it("delete without static data removes every subscription with the trigger's URL", async () => {
		await trigger.activate();
		trigger.foreignSubscription({ url: trigger.url });
		const other = trigger.foreignSubscription();
		trigger.staticData = {};
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.allSubscriptions()).toEqual([other]);
	});

	it('delete that fails names the subscription, keeps its ID, and succeeds when it is run again', async () => {
		await trigger.activate();
		const [own] = trigger.allSubscriptions();
		trigger.service.addFault({ kind: 'status', status: 500, method: 'DELETE', times: Infinity });
		const error = await failure(trigger.runHook('delete'));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toContain(`subscription ${own?.id} stays`);
		expect(error.message).toContain('Argyle Console');
		expect(trigger.state).toMatchObject({ subscriptionId: own?.id, secret: own?.secret });
		trigger.service.clearFaults();
		await trigger.runHook('delete');
		expect(trigger.allSubscriptions()).toHaveLength(0);
	});

	it('delete fails when the list cannot be read, and keeps the URL for the next run', async () => {
		await trigger.activate();
		trigger.service.subscriptions.clear();
		trigger.service.addFault({ kind: 'status', status: 500, method: 'GET', times: Infinity });
		await failure(trigger.runHook('delete'));
		expect(trigger.state).toMatchObject({ url: trigger.url });
		expect(trigger.state).not.toHaveProperty('subscriptionId');
		trigger.service.clearFaults();
		advance(20_000);
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.state).not.toHaveProperty('url');
	});
});

describe('trigger that listens for a test event', () => {
	it('listening for a test event uses its own subscription and leaves the production one alone', async () => {
		await trigger.activate();
		const [production] = trigger.ownSubscriptions();
		trigger.isTest = true;
		trigger.staticData = {};
		await trigger.activate();
		const [test] = trigger.ownSubscriptions();
		expect(test?.url).not.toBe(production?.url);
		expect(trigger.allSubscriptions()).toEqual([production, test]);
		await trigger.runHook('delete');
		expect(trigger.allSubscriptions()).toEqual([production]);
	});

	it('listening for a test event deletes the subscription that an earlier test left', async () => {
		trigger.isTest = true;
		trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		await trigger.activate();
		expect(trigger.allSubscriptions()).toHaveLength(1);
	});
});
