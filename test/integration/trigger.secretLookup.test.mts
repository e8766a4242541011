import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { formData, formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const OTHER_SECRET = 'f'.repeat(64);

const trigger = useTriggerFixture();
let secret: unknown;

/** Activates, then replaces what n8n stored for the trigger. */
async function loseStaticData(left: IDataObject = {}) {
	await trigger.activate();
	secret = trigger.state.secret;
	trigger.staticData = { 'node:Node': left };
	trigger.service.requests.length = 0;
}

/** Stops the clock this much later. */
const advanceClock = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);

const statusOf = async (signedWith: unknown) => (await trigger.deliver(formDelivery, { secret: signedWith })).status;

describe('trigger without its secret', () => {
	it('a trigger without static data looks its secret up once by URL, and keeps it in memory only', async () => {
		await loseStaticData();
		const result = await trigger.deliver(formDelivery, { secret });
		expect(result.status).toBe(200);
		expect(result.items).toHaveLength(1);
		expect(result.staticData).toEqual({ 'node:Node': {} });
		expect(trigger.requestCount('GET')).toBe(1);
		for (let index = 0; index < 20; index++) expect(await statusOf(secret)).toBe(200);
		advanceClock(60_000);
		expect(await statusOf(secret)).toBe(200);
		expect(trigger.requestCount('GET')).toBe(1);
	});

	it('concurrent calls share one secret lookup, and each is authenticated on its own', async () => {
		await loseStaticData();
		trigger.service.addFault({ kind: 'slow', delayMs: 200 });
		const results = await Promise.all(
			Array.from({ length: 20 }, async (_, index) => {
				const body = eventBody('user_forms.submitted', `Call ${index}`, formData);
				const { status, items } = await trigger.deliver(body, { secret: index % 2 === 0 ? secret : OTHER_SECRET });
				return { status, name: items?.[0]?.json.name };
			}),
		);
		const genuine = results.filter((_, index) => index % 2 === 0);
		expect(genuine).toEqual(genuine.map((_, index) => ({ status: 200, name: `Call ${index * 2}` })));
		// 503 for those that came after the lookup began: by then there may be another subscription.
		const forged = results.filter((_, index) => index % 2 !== 0);
		for (const { status, name } of forged) {
			expect([401, 503]).toContain(status);
			expect(name).toBeUndefined();
		}
		expect(trigger.requestCount('GET')).toBe(1);
	});

	it("a delivery signed with a new subscription's secret is answered 503 shortly after a lookup, then 200", async () => {
		await loseStaticData();
		expect(await statusOf(secret)).toBe(200);
		advanceClock(4_000);
		for (const subscription of trigger.allSubscriptions()) subscription.secret = 'a'.repeat(64);
		expect(await statusOf('a'.repeat(64))).toBe(503);
		advanceClock(30_000);
		expect(await statusOf('a'.repeat(64))).toBe(200);
	});

	it('the secret lookup uses the subscription ID if that is still stored', async () => {
		await trigger.activate();
		const { subscriptionId } = trigger.state;
		await loseStaticData({ subscriptionId });
		expect(await statusOf(secret)).toBe(200);
		expect(trigger.service.requests.map(({ path }) => path)).toEqual([`/v2/webhooks/${String(subscriptionId)}`]);
	});

	it('the secret lookup falls back to the URL when the stored subscription is gone', async () => {
		await loseStaticData({ subscriptionId: randomUUID(), url: trigger.url });
		expect(await statusOf(secret)).toBe(200);
		expect(trigger.service.requests.map(({ path }) => path.replace(/[0-9a-f-]{36}$/, 'id'))).toEqual([
			'/v2/webhooks/id',
			'/v2/webhooks',
		]);
	});

	it('a stored secret that does not match is looked up again, at most once a minute', async () => {
		await loseStaticData({ subscriptionId: randomUUID(), url: trigger.url, secret: 'e'.repeat(64) });
		expect(await statusOf(OTHER_SECRET)).toBe(401);
		const requestsBefore = trigger.requestCount('GET');
		expect(await statusOf(secret)).toBe(200);
		for (let index = 0; index < 20; index++) expect(await statusOf(OTHER_SECRET)).toBe(401);
		advanceClock(59_000);
		expect(await statusOf(OTHER_SECRET)).toBe(401);
		expect(trigger.requestCount('GET')).toBe(requestsBefore);
		advanceClock(2_000);
		expect(await statusOf(OTHER_SECRET)).toBe(401);
		expect(trigger.requestCount('GET')).toBeGreaterThan(requestsBefore);
	});

	it('a delivery that does not match the stored secret is answered 401 while Argyle is down', async () => {
		await loseStaticData({ secret: 'e'.repeat(64) });
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		expect(await statusOf(secret)).toBe(401);
	});

	it('a delivery that does not match the looked-up secret is answered 401', async () => {
		await loseStaticData();
		expect(await statusOf(OTHER_SECRET)).toBe(401);
	});

	it('a delivery is answered 503 while there is no subscription, so that Argyle repeats it', async () => {
		const result = await trigger.deliver(formDelivery, { secret: OTHER_SECRET });
		expect(result).toMatchObject({ status: 503, body: '{"message":"Not ready yet, send again"}', items: undefined });
	});

	it('a delivery is answered 503 while Argyle is down, and its repeat is accepted later', async () => {
		await loseStaticData();
		trigger.service.addFault({ kind: 'status', status: 500, times: Infinity });
		expect(await statusOf(secret)).toBe(503);
		const requestsBefore = trigger.requestCount('GET');
		expect(await statusOf(secret)).toBe(503);
		expect(trigger.requestCount('GET')).toBe(requestsBefore);
		trigger.service.clearFaults();
		advanceClock(30_000);
		expect(await statusOf(secret)).toBe(200);
	});

	it('forged calls cause one secret lookup in 5 s, malformed signatures none', async () => {
		await loseStaticData();
		for (let index = 0; index < 50; index++) {
			await statusOf(index.toString(16).padStart(64, '0'));
			await trigger.receiver.call(formDelivery, { headers: { 'X-Argyle-Signature': 'short' } });
		}
		expect(trigger.requestCount('GET')).toBe(1);
		advanceClock(5_000);
		await trigger.receiver.call(formDelivery, { headers: { 'X-Argyle-Signature': 'short' } });
		expect(trigger.requestCount('GET')).toBe(1);
		await statusOf('0'.repeat(64));
		expect(trigger.requestCount('GET')).toBe(2);
	});

	it('the secret is looked up although an old one is still accepted, because a new subscription may not be stored yet', async () => {
		await trigger.activate();
		const old = trigger.state.secret;
		await trigger.runHook('delete');
		const left = trigger.state;
		await loseStaticData(left);
		expect(await statusOf(old)).toBe(200);
		expect(trigger.requestCount('GET')).toBe(0);
		expect(await statusOf(secret)).toBe(200);
		expect(trigger.requestCount('GET')).toBe(1);
	});

	it('a blank secret at Argyle is never accepted', async () => {
		await loseStaticData();
		for (const subscription of trigger.service.subscriptions.values()) subscription.secret = '';
		expect(await statusOf('')).toBe(503);
	});
});
