import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
let waits: number[];
beforeEach(() => (waits = useFakeTime()));

describe('trigger during an outage', () => {
	it('create succeeds after Argyle was unreachable for a minute', async () => {
		const back = Date.now() + 60_000;
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		jest
			.spyOn(trigger.service.faults, 'take')
			.mockImplementation(() => (Date.now() < back ? { kind: 'drop' } : undefined));
		await trigger.runHook('create');
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(waits.length).toBeGreaterThan(5);
	});

	it.each([
		['429 three times', { kind: 'status', status: 429, headers: { 'Retry-After': '1' }, times: 3 } as const],
		['500', { kind: 'status', status: 500 } as const],
		['a cut connection', { kind: 'drop' } as const],
		['an HTML page', { kind: 'html' } as const],
	])('activation retries %s at each of its requests', async (_, fault) => {
		const old = trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		for (const method of ['GET', 'POST', 'DELETE']) trigger.service.addFault({ ...fault, method });
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.service.subscriptions.has(old.id)).toBe(false);
		expect(trigger.state.subscriptionId).toBe(trigger.ownSubscriptions()[0]?.id);
	});

	it('after checkExists used up the retries, checkExists and delete try once, so that n8n shows our error', async () => {
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		await failure(trigger.runHook('checkExists'));
		const waitsBefore = waits.length;
		trigger.service.requests.length = 0;
		expect((await failure(trigger.runHook('checkExists'))).message).toContain('could not be reached');
		expect(await trigger.runHook('delete')).toBe(true);
		expect([trigger.service.requests.length, waits.length - waitsBefore]).toEqual([1, 0]);
	});

	it('create retries for 15 s only while a person listens for a test event', async () => {
		trigger.isTest = true;
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		const { message } = await failure(trigger.runHook('create'));
		expect(message).toMatch(/Tried \d+ times in 15 s/);
	});
});

describe('trigger whose create request got no response', () => {
	it('checkExists deletes the duplicate that a lost create request makes later', async () => {
		trigger.service.addFault({ kind: 'drop', method: 'POST' });
		await trigger.activate();
		expect(trigger.state).toMatchObject({ mayHaveDuplicate: true });
		const [own] = trigger.ownSubscriptions();
		trigger.foreignSubscription({ url: trigger.url, events: own?.events, secret: own?.secret });
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.ownSubscriptions()).toEqual([own]);
		expect(trigger.state).not.toHaveProperty('mayHaveDuplicate');
	});

	it('delete removes the duplicate that a lost create request made later', async () => {
		trigger.service.addFault({ kind: 'drop', method: 'POST' });
		await trigger.activate();
		trigger.foreignSubscription({ url: trigger.url, secret: trigger.ownSubscriptions()[0]?.secret });
		await trigger.runHook('delete');
		expect(trigger.ownSubscriptions()).toHaveLength(0);
	});

	it('checkExists finds the subscription of a create whose retries ended before it could be looked up', async () => {
		// The create is carried out without a response, and every later request fails until the retries end.
		trigger.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		trigger.service.addFault({ kind: 'drop', method: 'GET', times: 1_000 });
		await failure(trigger.runHook('create'));
		trigger.service.clearFaults();
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
	});
});

describe('trigger that is published again', () => {
	beforeEach(async () => await trigger.activate());

	it('publishing again costs a DELETE, a POST, and a GET that looks for duplicates', async () => {
		trigger.service.requests.length = 0;
		await trigger.runHook('delete');
		await trigger.activate();
		expect(trigger.service.requests.map(({ method }) => method)).toEqual(['DELETE', 'POST', 'GET']);
	});

	it('publishing again with new static data still accepts the old secret', async () => {
		const { secret } = trigger.state;
		await trigger.runHook('delete');
		trigger.staticData = {};
		await trigger.activate();
		expect(trigger.state).toMatchObject({ retired: [{ secret }] });
	});

	it("replacing an unknown subscription with the trigger's URL still accepts its secret", async () => {
		const { secret } = trigger.state;
		trigger.staticData = {};
		trigger.parameters = { events: ['accounts.added'], options: {} };
		await trigger.activate();
		expect(trigger.state).toMatchObject({ retired: [{ secret }] });
	});
});
