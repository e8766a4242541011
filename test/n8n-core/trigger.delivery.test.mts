import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { root } from '../paths.mts';
import { eventBody, sign } from '../service/event.mts';
import { type Service, startService } from '../service/index.mts';
import { activate, startReceiver, stateOf, type TestedTrigger, urlOf } from './trigger.mts';
import { credentialFor } from './workflow.mts';

let service: Service;
let trigger: TestedTrigger;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeEach(async () => {
	service = await startService();
	trigger = {
		credential: credentialFor(service),
		parameters: { events: ['user_forms.submitted'], options: {} },
		staticData: {},
	};
	receiver = await startReceiver(trigger);
});
afterEach(async () => {
	await receiver.stop();
	await service.stop();
	jest.useRealTimers();
});

const data = { account: randomUUID(), user: randomUUID(), user_form: randomUUID() };
const body = eventBody('user_forms.submitted', 'Forms', data);
const signed = (bytes: string | Buffer, secret: unknown = stateOf(trigger).secret) => ({
	'X-Argyle-Signature': sign(bytes, String(secret)),
});
const asked = () => service.requests.filter(({ method }) => method === 'GET').length;

describe('a genuine delivery', () => {
	beforeEach(async () => await activate(trigger));

	it('starts the workflow with one item: the payload as delivered, answered with a plain message', async () => {
		const result = await receiver.call(body, signed(body));
		expect(result).toMatchObject({ status: 200, body: '{"message":"Received"}' });
		expect(result.items).toEqual([{ json: { event: 'user_forms.submitted', name: 'Forms', data } }]);
	});

	it('is read from its bytes, whatever else n8n made of them', async () => {
		const spaced = '{"event" : "user_forms.submitted",\r\n "data":{ "a":"\\u00e4 ä €" } }';
		expect((await receiver.call(spaced, signed(spaced))).items).toEqual([
			{ json: { event: 'user_forms.submitted', data: { a: 'ä ä €' } } },
		]);
	});

	it('is taken in upper-case hex too', async () => {
		const headers = { 'X-Argyle-Signature': sign(body, String(stateOf(trigger).secret)).toUpperCase() };
		expect((await receiver.call(body, headers)).status).toBe(200);
	});

	it('leaves the static data alone and asks the service nothing', async () => {
		const before = { state: stateOf(trigger), asked: asked() };
		const { staticData } = await receiver.call(body, signed(body));
		expect(stateOf({ ...trigger, staticData })).toEqual(before.state);
		expect(asked()).toBe(before.asked);
	});

	it.each(readdirSync(join(root, 'test', 'service', 'fixtures')))(
		'is taken in every recorded shape: %s',
		async (file) => {
			trigger.parameters = { ...trigger.parameters, events: ['*'] };
			const recorded = readFileSync(join(root, 'test', 'service', 'fixtures', file));
			const { status, items } = await receiver.call(recorded, signed(recorded));
			expect(status).toBe(200);
			expect(items).toEqual([{ json: JSON.parse(recorded.toString()) }]);
		},
	);
});

describe('a call that is not genuine', () => {
	beforeEach(async () => await activate(trigger));

	it.each<[string, () => [string | Buffer, Record<string, string>]]>([
		['without a signature', () => [body, {}]],
		['with one byte flipped', () => [body.replace('user_forms', 'user_formz'), signed(body)]],
		['compact instead of indented', () => [JSON.stringify(JSON.parse(body)), signed(body)]],
		['with a line break added', () => [`${body}\n`, signed(body)]],
		[
			'with a signature of 127 characters',
			() => [body, { 'X-Argyle-Signature': sign(body, String(stateOf(trigger).secret)).slice(1) }],
		],
		['with a signature that is not hex', () => [body, { 'X-Argyle-Signature': 'Z'.repeat(128) }]],
		['with an empty signature', () => [body, { 'X-Argyle-Signature': '' }]],
		['signed with another secret', () => [body, signed(body, 'f'.repeat(64))]],
		['signed with an empty secret', () => [body, signed(body, '')]],
		[
			'with the signature in another header',
			() => [body, { 'X-Signature': sign(body, String(stateOf(trigger).secret)) }],
		],
		[
			'signed twice',
			() => [
				body,
				{
					'X-Argyle-Signature': `${sign(body, String(stateOf(trigger).secret))}, ${sign(body, String(stateOf(trigger).secret))}`,
				},
			],
		],
		['whose raw bytes n8n did not keep', () => [body, { ...signed(body), 'X-Test-Without-Raw-Body': '1' }]],
	])('%s is answered 401 and starts nothing', async (_, call) => {
		const result = await receiver.call(...call());
		expect(result).toMatchObject({ status: 401, body: '{"message":"Unauthorized"}', items: undefined });
	});

	it('makes the trigger ask the service nothing', async () => {
		const before = asked();
		for (let index = 0; index < 20; index++) await receiver.call(body, signed(body, 'f'.repeat(64)));
		expect(asked()).toBe(before);
	});
});

describe('a genuine call that is not for the workflow', () => {
	beforeEach(async () => await activate(trigger));

	it('of another event is answered 200, so that Argyle does not send it again', async () => {
		const other = eventBody('accounts.added', 'Forms', {});
		expect(await receiver.call(other, signed(other))).toMatchObject({
			status: 200,
			body: '{"message":"Event not subscribed"}',
			items: undefined,
		});
	});

	it.each(['[]', '{}', '"text"', '{"event":"user_forms.submitted"}', 'no json'])(
		'whose body is %s is answered 400',
		async (text) => {
			expect(await receiver.call(text, signed(text))).toMatchObject({ status: 400, items: undefined });
		},
	);
});

describe('the secret of a subscription that was just replaced', () => {
	it('goes on verifying for two minutes, and not longer', async () => {
		await activate(trigger);
		const old = stateOf(trigger).secret;
		trigger.parameters = { ...trigger.parameters, events: ['user_forms.submitted', 'user_forms.removed'] };
		await activate(trigger);
		expect(stateOf(trigger).secret).not.toBe(old);
		expect((await receiver.call(body, signed(body, old))).status).toBe(200);

		jest.useFakeTimers({
			now: Date.now() + 119_000,
			doNotFake: [
				'nextTick',
				'setImmediate',
				'setTimeout',
				'clearTimeout',
				'setInterval',
				'clearInterval',
				'queueMicrotask',
			],
		});
		expect((await receiver.call(body, signed(body, old))).status).toBe(200);
		jest.setSystemTime(Date.now() + 2_000);
		expect((await receiver.call(body, signed(body, old))).status).toBe(401);
		expect((await receiver.call(body, signed(body))).status).toBe(200);
	});
});

describe('a trigger without its secret', () => {
	let secret: unknown;

	/** Each test has a workflow of its own, because what the service said is remembered for the process. */
	async function loseStaticData(left: IDataObject = {}) {
		await activate(trigger);
		secret = stateOf(trigger).secret;
		trigger.staticData = { 'node:Node': left };
		service.requests.length = 0;
		trigger.webhookBase = undefined;
	}

	beforeEach(() => {
		jest.useFakeTimers({
			now: Date.now() + 1_000_000 * ++round,
			doNotFake: [
				'nextTick',
				'setImmediate',
				'setTimeout',
				'clearTimeout',
				'setInterval',
				'clearInterval',
				'queueMicrotask',
			],
		});
	});

	it('asks the service by its URL, verifies against the answer, and remembers it in memory only', async () => {
		await loseStaticData();
		const result = await receiver.call(body, signed(body, secret));
		expect(result.status).toBe(200);
		expect(result.items).toHaveLength(1);
		expect(result.staticData).toEqual({ 'node:Node': {} });
		expect(asked()).toBe(1);
		for (let index = 0; index < 20; index++) expect((await receiver.call(body, signed(body, secret))).status).toBe(200);
		expect(asked()).toBe(1);
	});

	it('asks once for calls that come in together, and judges each by itself', async () => {
		await loseStaticData();
		service.addFault({ kind: 'slow', delayMs: 200 });
		const results = await Promise.all(
			Array.from({ length: 20 }, async (_, index) => {
				const own = eventBody('user_forms.submitted', `Call ${index}`, data);
				const { status, items } = await receiver.call(own, signed(own, index % 2 === 0 ? secret : 'f'.repeat(64)));
				return { status, name: items?.[0]?.json.name };
			}),
		);
		expect(results).toEqual(
			results.map((_, index) =>
				index % 2 === 0 ? { status: 200, name: `Call ${index}` } : { status: 401, name: undefined },
			),
		);
		expect(asked()).toBe(1);
	});

	it('asks by the id when that is left', async () => {
		await activate(trigger);
		const { subscriptionId } = stateOf(trigger);
		await loseStaticData({ subscriptionId });
		expect((await receiver.call(body, signed(body, secret))).status).toBe(200);
		expect(service.requests.map(({ path }) => path)).toEqual([`/v2/webhooks/${String(subscriptionId)}`]);
	});

	it('looks by URL when the remembered subscription is gone', async () => {
		await loseStaticData({ subscriptionId: randomUUID(), url: urlOf(trigger) });
		expect((await receiver.call(body, signed(body, secret))).status).toBe(200);
		expect(service.requests.map(({ path }) => path.replace(/[0-9a-f-]{36}$/, 'id'))).toEqual([
			'/v2/webhooks/id',
			'/v2/webhooks',
		]);
	});

	it("refuses what the service's secret did not sign", async () => {
		await loseStaticData();
		expect((await receiver.call(body, signed(body, 'f'.repeat(64)))).status).toBe(401);
	});

	it('answers 503 while there is no subscription, so that Argyle sends again', async () => {
		const result = await receiver.call(body, signed(body, 'f'.repeat(64)));
		expect(result).toMatchObject({ status: 503, items: undefined });
	});

	it('answers 503 while the service is down, and takes the repeat once it is back', async () => {
		await loseStaticData();
		service.addFault({ kind: 'status', status: 500 });
		expect((await receiver.call(body, signed(body, secret))).status).toBe(503);
		expect((await receiver.call(body, signed(body, secret))).status).toBe(503);
		expect(asked()).toBe(1);
		jest.setSystemTime(Date.now() + 30_000);
		expect((await receiver.call(body, signed(body, secret))).status).toBe(200);
	});

	it('can not be made to flood the service, and is not asked at all for calls without the form of a signature', async () => {
		await loseStaticData();
		for (let index = 0; index < 50; index++) {
			await receiver.call(body, signed(body, index.toString(16).padStart(64, '0')));
			await receiver.call(body, { 'X-Argyle-Signature': 'short' });
		}
		expect(asked()).toBe(1);
		jest.setSystemTime(Date.now() + 5_000);
		await receiver.call(body, { 'X-Argyle-Signature': 'short' });
		expect(asked()).toBe(1);
		await receiver.call(body, signed(body, '0'.repeat(64)));
		expect(asked()).toBe(2);
	});

	it('never takes a blank or foreign secret from the service', async () => {
		await loseStaticData();
		for (const subscription of service.subscriptions.values()) subscription.secret = '';
		expect((await receiver.call(body, signed(body, ''))).status).toBe(503);
	});
});

let round = 0;
