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

describe('a service in trouble', () => {
	it('is outlasted at create when it is away for a minute', async () => {
		const back = Date.now() + 60_000;
		stage.service.addFault({ kind: 'drop', times: Infinity });
		jest
			.spyOn(stage.service.faults, 'take')
			.mockImplementation(() => (Date.now() < back ? { kind: 'drop' } : undefined));
		await hook(stage.trigger, 'create');
		expect(stage.ownSubscriptions()).toHaveLength(1);
		expect(waits.length).toBeGreaterThan(5);
	});

	it.each([
		['429 three times', { kind: 'status', status: 429, headers: { 'Retry-After': '1' }, times: 3 } as const],
		['500', { kind: 'status', status: 500 } as const],
		['a cut connection', { kind: 'drop' } as const],
		['an HTML page', { kind: 'html' } as const],
	])('is repeated by the node itself: %s at each of its steps', async (_, fault) => {
		const old = stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['accounts.added'] });
		for (const method of ['GET', 'POST', 'DELETE']) stage.service.addFault({ ...fault, method });
		await activate(stage.trigger);
		expect(stage.ownSubscriptions()).toHaveLength(1);
		expect(stage.service.subscriptions.has(old.id)).toBe(false);
		expect(stateOf(stage.trigger).subscriptionId).toBe(stage.ownSubscriptions()[0]?.id);
	});

	it('is given one try each by what n8n does after the patience is over, so that the last word is ours', async () => {
		stage.service.addFault({ kind: 'drop', times: Infinity });
		await failure(hook(stage.trigger, 'checkExists'));
		const patience = waits.length;
		stage.service.requests.length = 0;
		expect((await failure(hook(stage.trigger, 'checkExists'))).message).toContain('could not be reached');
		expect(await hook(stage.trigger, 'delete')).toBe(true);
		expect([stage.service.requests.length, waits.length - patience]).toEqual([1, 0]);
	});

	it('is not waited for that long while a person listens for a test event', async () => {
		stage.trigger.isTest = true;
		stage.service.addFault({ kind: 'drop', times: Infinity });
		const { message } = await failure(hook(stage.trigger, 'create'));
		expect(message).toMatch(/Tried \d+ times in 15 s/);
	});
});

describe('a create whose answer was lost', () => {
	it('and that comes through late is found out: twins are removed, and looked for until that is sure', async () => {
		stage.service.addFault({ kind: 'drop', method: 'POST' });
		await activate(stage.trigger);
		expect(stateOf(stage.trigger)).toMatchObject({ mayHaveDuplicate: true });
		const [mine] = stage.ownSubscriptions();
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: mine?.events, secret: mine?.secret });
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
		expect(stage.ownSubscriptions()).toEqual([mine]);
		expect(stateOf(stage.trigger)).not.toHaveProperty('mayHaveDuplicate');
	});

	it('leaves no late twin behind when the trigger is removed before that', async () => {
		stage.service.addFault({ kind: 'drop', method: 'POST' });
		await activate(stage.trigger);
		stage.foreignSubscription({ url: urlOf(stage.trigger), secret: stage.ownSubscriptions()[0]?.secret });
		await hook(stage.trigger, 'delete');
		expect(stage.ownSubscriptions()).toHaveLength(0);
	});

	it('is found even when the patience ends right after it', async () => {
		// Done and never answered, and nothing can be asked until the patience is over.
		stage.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		stage.service.addFault({ kind: 'drop', method: 'GET', times: 1_000 });
		const asking = hook(stage.trigger, 'create');
		await failure(asking);
		stage.service.clearFaults();
		expect(await hook(stage.trigger, 'checkExists')).toBe(true);
		expect(stage.ownSubscriptions()).toHaveLength(1);
	});
});

describe('a trigger that is published again', () => {
	beforeEach(async () => await activate(stage.trigger));

	it('costs two requests between which there is no subscription, and one to clear up after', async () => {
		stage.service.requests.length = 0;
		await hook(stage.trigger, 'delete');
		await activate(stage.trigger);
		expect(stage.service.requests.map(({ method }) => method)).toEqual(['DELETE', 'POST', 'GET']);
	});

	it('goes on taking the old secret under another name, where n8n gives it new static data', async () => {
		const { secret } = stateOf(stage.trigger);
		await hook(stage.trigger, 'delete');
		stage.trigger.staticData = {};
		await activate(stage.trigger);
		expect(stateOf(stage.trigger)).toMatchObject({ retired: [{ secret }] });
	});

	it('goes on taking the secret of a subscription that it replaces without having known it', async () => {
		const { secret } = stateOf(stage.trigger);
		stage.trigger.staticData = {};
		stage.trigger.parameters = { events: ['accounts.added'], options: {} };
		await activate(stage.trigger);
		expect(stateOf(stage.trigger)).toMatchObject({ retired: [{ secret }] });
	});
});
