import { NodeApiError } from 'n8n-workflow';
import { failure } from '../support/n8nCore/failure.mts';
import { useFakeTime, advance } from '../support/fakeTime.mts';
import { activate, hook, stateOf, type TestedTrigger, urlOf } from '../support/n8nCore/trigger.mts';
import { createTriggerFixture, type TriggerFixture } from '../support/n8nCore/triggerFixture.mts';

let stage: TriggerFixture;
beforeEach(async () => {
	stage = await createTriggerFixture();
	useFakeTime();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await stage.service.stop();
});

describe('delete', () => {
	it('removes the subscription and keeps the secret for the overlap only', async () => {
		await activate(stage.trigger);
		const { secret } = stateOf(stage.trigger);
		expect(await hook(stage.trigger, 'delete')).toBe(true);
		expect(stage.allSubscriptions()).toHaveLength(0);
		expect(stateOf(stage.trigger)).toEqual({ retired: [{ secret, until: expect.any(Number) }] });
	});

	it('takes a subscription that is gone already for a success', async () => {
		await activate(stage.trigger);
		stage.service.subscriptions.clear();
		expect(await hook(stage.trigger, 'delete')).toBe(true);
		expect(stateOf(stage.trigger)).not.toHaveProperty('subscriptionId');
		expect(await hook(stage.trigger, 'delete')).toBe(true);
	});

	it('removes whatever sends to its URL, also without any static data', async () => {
		await activate(stage.trigger);
		stage.foreignSubscription({ url: urlOf(stage.trigger) });
		const other = stage.foreignSubscription();
		stage.trigger.staticData = {};
		expect(await hook(stage.trigger, 'delete')).toBe(true);
		expect(stage.allSubscriptions()).toEqual([other]);
	});

	it('names the subscription that stays behind, keeps its id, and succeeds on the next try', async () => {
		await activate(stage.trigger);
		const [mine] = stage.allSubscriptions();
		stage.service.addFault({ kind: 'status', status: 500, method: 'DELETE', times: Infinity });
		const error = await failure(hook(stage.trigger, 'delete'));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toContain(`subscription ${mine?.id} stays`);
		expect(error.message).toContain('Argyle Console');
		expect(stateOf(stage.trigger)).toMatchObject({ subscriptionId: mine?.id, secret: mine?.secret });
		stage.service.clearFaults();
		await hook(stage.trigger, 'delete');
		expect(stage.allSubscriptions()).toHaveLength(0);
	});

	it('fails when the list can not be read, but does not forget the address', async () => {
		await activate(stage.trigger);
		stage.service.subscriptions.clear();
		stage.service.addFault({ kind: 'status', status: 500, method: 'GET', times: Infinity });
		await failure(hook(stage.trigger, 'delete'));
		expect(stateOf(stage.trigger)).toMatchObject({ url: urlOf(stage.trigger) });
		expect(stateOf(stage.trigger)).not.toHaveProperty('subscriptionId');
		stage.service.clearFaults();
		advance(20_000);
		expect(await hook(stage.trigger, 'delete')).toBe(true);
		expect(stateOf(stage.trigger)).not.toHaveProperty('url');
	});
});

describe('listening for a test event', () => {
	it('has a subscription of its own and leaves the production one alone', async () => {
		await activate(stage.trigger);
		const [production] = stage.allSubscriptions();
		const test: TestedTrigger = { ...stage.trigger, staticData: {}, isTest: true };
		await activate(test);
		expect(urlOf(test)).not.toBe(urlOf(stage.trigger));
		expect(stage.allSubscriptions().map(({ url }) => url)).toEqual([urlOf(stage.trigger), urlOf(test)]);
		await hook(test, 'delete');
		expect(stage.allSubscriptions()).toEqual([production]);
	});

	it('clears away what an earlier test left behind', async () => {
		const test: TestedTrigger = { ...stage.trigger, isTest: true };
		stage.foreignSubscription({ url: urlOf(test), events: ['accounts.added'] });
		await activate(test);
		expect(stage.allSubscriptions()).toHaveLength(1);
	});
});
