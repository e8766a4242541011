import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { eventBody } from '../support/fakeArgyle/event.mts';
import { body, data, DeliveryFixture } from '../support/n8nCore/deliveryFixture.mts';
import { activate, hook, stateOf, urlOf } from '../support/n8nCore/trigger.mts';

let stage: DeliveryFixture;
beforeEach(async () => {
	stage = await DeliveryFixture.set();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await stage.clear();
});

describe('a trigger without its secret', () => {
	let secret: unknown;

	/** Registers, then loses what n8n had stored, but for what is left. */
	async function loseStaticData(left: IDataObject = {}) {
		await activate(stage.trigger);
		secret = stateOf(stage.trigger).secret;
		stage.trigger.staticData = { 'node:Node': left };
		stage.service.requests.length = 0;
	}

	/** Lets the clock go on; it stands still otherwise. */
	const goOn = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);

	it('asks the service by its URL, verifies against the answer, and remembers it in memory only', async () => {
		await loseStaticData();
		const result = await stage.receiver.call(body, stage.signed(body, secret));
		expect(result.status).toBe(200);
		expect(result.items).toHaveLength(1);
		expect(result.staticData).toEqual({ 'node:Node': {} });
		expect(stage.asked()).toBe(1);
		for (let index = 0; index < 20; index++)
			expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
		goOn(60_000);
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
		expect(stage.asked()).toBe(1);
	});

	it('asks once for calls that come in together, and judges each by itself', async () => {
		await loseStaticData();
		stage.service.addFault({ kind: 'slow', delayMs: 200 });
		const results = await Promise.all(
			Array.from({ length: 20 }, async (_, index) => {
				const own = eventBody('user_forms.submitted', `Call ${index}`, data);
				const { status, items } = await stage.receiver.call(
					own,
					stage.signed(own, index % 2 === 0 ? secret : 'f'.repeat(64)),
				);
				return { status, name: items?.[0]?.json.name };
			}),
		);
		const genuine = results.filter((_, index) => index % 2 === 0);
		expect(genuine).toEqual(genuine.map((_, index) => ({ status: 200, name: `Call ${index * 2}` })));
		// The question was asked before the later of them came; by then there may be another subscription.
		const forged = results.filter((_, index) => index % 2 !== 0);
		for (const { status, name } of forged) {
			expect([401, 503]).toContain(status);
			expect(name).toBeUndefined();
		}
		expect(stage.asked()).toBe(1);
	});

	it('answers 503 to the first delivery of the next subscription, when it asked for the one before a moment ago', async () => {
		await loseStaticData();
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
		goOn(4_000);
		const [subscription] = stage.allSubscriptions();
		if (subscription !== undefined) subscription.secret = 'a'.repeat(64);
		expect((await stage.receiver.call(body, stage.signed(body, 'a'.repeat(64)))).status).toBe(503);
		goOn(30_000);
		expect((await stage.receiver.call(body, stage.signed(body, 'a'.repeat(64)))).status).toBe(200);
	});

	it('asks by the id when that is left', async () => {
		await activate(stage.trigger);
		const { subscriptionId } = stateOf(stage.trigger);
		await loseStaticData({ subscriptionId });
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
		expect(stage.service.requests.map(({ path }) => path)).toEqual([`/v2/webhooks/${String(subscriptionId)}`]);
	});

	it('looks by URL when the remembered subscription is gone', async () => {
		await loseStaticData({ subscriptionId: randomUUID(), url: urlOf(stage.trigger) });
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
		expect(stage.service.requests.map(({ path }) => path.replace(/[0-9a-f-]{36}$/, 'id'))).toEqual([
			'/v2/webhooks/id',
			'/v2/webhooks',
		]);
	});

	it('asks, once a minute at the most, when the secret it has does not fit: an older execution may have overwritten it', async () => {
		await loseStaticData({ subscriptionId: randomUUID(), url: urlOf(stage.trigger), secret: 'e'.repeat(64) });
		expect((await stage.receiver.call(body, stage.signed(body, 'f'.repeat(64)))).status).toBe(401);
		const asked = stage.asked();
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
		for (let index = 0; index < 20; index++)
			expect((await stage.receiver.call(body, stage.signed(body, 'f'.repeat(64)))).status).toBe(401);
		goOn(59_000);
		expect((await stage.receiver.call(body, stage.signed(body, 'f'.repeat(64)))).status).toBe(401);
		expect(stage.asked()).toBe(asked);
		goOn(2_000);
		expect((await stage.receiver.call(body, stage.signed(body, 'f'.repeat(64)))).status).toBe(401);
		expect(stage.asked()).toBeGreaterThan(asked);
	});

	it('refuses for good what does not fit its secret while the service is down', async () => {
		await loseStaticData({ secret: 'e'.repeat(64) });
		stage.service.addFault({ kind: 'drop', times: Infinity });
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(401);
	});

	it("refuses what the service's secret did not sign", async () => {
		await loseStaticData();
		expect((await stage.receiver.call(body, stage.signed(body, 'f'.repeat(64)))).status).toBe(401);
	});

	it('answers 503 while there is no subscription, so that Argyle sends again', async () => {
		const result = await stage.receiver.call(body, stage.signed(body, 'f'.repeat(64)));
		expect(result).toMatchObject({ status: 503, body: '{"message":"Not ready yet, send again"}', items: undefined });
	});

	it('answers 503 while the service is down, and takes the repeat once it is back', async () => {
		await loseStaticData();
		stage.service.addFault({ kind: 'status', status: 500, times: Infinity });
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(503);
		const asked = stage.asked();
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(503);
		expect(stage.asked()).toBe(asked);
		stage.service.clearFaults();
		goOn(30_000);
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
	});

	it('can not be made to flood the service, and is not asked at all for calls without the form of a signature', async () => {
		await loseStaticData();
		for (let index = 0; index < 50; index++) {
			await stage.receiver.call(body, stage.signed(body, index.toString(16).padStart(64, '0')));
			await stage.receiver.call(body, { 'X-Argyle-Signature': 'short' });
		}
		expect(stage.asked()).toBe(1);
		goOn(5_000);
		await stage.receiver.call(body, { 'X-Argyle-Signature': 'short' });
		expect(stage.asked()).toBe(1);
		await stage.receiver.call(body, stage.signed(body, '0'.repeat(64)));
		expect(stage.asked()).toBe(2);
	});

	it('asks although a retired secret is left: a delivery can come before its new subscription was stored', async () => {
		await activate(stage.trigger);
		const old = stateOf(stage.trigger).secret;
		await hook(stage.trigger, 'delete');
		const left = stateOf(stage.trigger);
		await loseStaticData(left);
		expect((await stage.receiver.call(body, stage.signed(body, old))).status).toBe(200);
		expect(stage.asked()).toBe(0);
		expect((await stage.receiver.call(body, stage.signed(body, secret))).status).toBe(200);
		expect(stage.asked()).toBe(1);
	});

	it('never takes a blank or foreign secret from the service', async () => {
		await loseStaticData();
		for (const subscription of stage.service.subscriptions.values()) subscription.secret = '';
		expect((await stage.receiver.call(body, stage.signed(body, ''))).status).toBe(503);
	});
});
