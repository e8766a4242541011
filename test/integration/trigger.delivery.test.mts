import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.mts';
import { eventBody, sign } from '../support/fakeArgyle/event.mts';
import { body, data, DeliveryFixture } from '../support/n8nCore/deliveryFixture.mts';
import { activate, stateOf } from '../support/n8nCore/trigger.mts';

let stage: DeliveryFixture;
beforeEach(async () => {
	stage = await DeliveryFixture.set();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await stage.clear();
});

describe('a genuine delivery', () => {
	beforeEach(async () => await activate(stage.trigger));

	it('starts the workflow with one item: the payload as delivered, answered with a plain message', async () => {
		const result = await stage.receiver.call(body, stage.signed(body));
		expect(result).toMatchObject({ status: 200, body: '{"message":"Received"}' });
		expect(result.items).toEqual([{ json: { event: 'user_forms.submitted', name: 'Forms', data } }]);
	});

	it('is read from its bytes, whatever else n8n made of them', async () => {
		const spaced = '{"event" : "user_forms.submitted",\r\n "data":{ "a":"\\u00e4 ä €" } }';
		expect((await stage.receiver.call(spaced, stage.signed(spaced))).items).toEqual([
			{ json: { event: 'user_forms.submitted', data: { a: 'ä ä €' } } },
		]);
	});

	it('is taken in upper-case hex too', async () => {
		const headers = { 'X-Argyle-Signature': sign(body, String(stateOf(stage.trigger).secret)).toUpperCase() };
		expect((await stage.receiver.call(body, headers)).status).toBe(200);
	});

	it('leaves the static data alone and asks the service nothing', async () => {
		const before = { state: stateOf(stage.trigger), asked: stage.asked() };
		const { staticData } = await stage.receiver.call(body, stage.signed(body));
		expect(stateOf({ ...stage.trigger, staticData })).toEqual(before.state);
		expect(stage.asked()).toBe(before.asked);
	});

	it.each(readdirSync(join(root, 'test', 'support', 'fakeArgyle', 'fixtures')))(
		'is taken in every recorded shape: %s',
		async (file) => {
			stage.trigger.parameters = { ...stage.trigger.parameters, events: ['*'] };
			const recorded = readFileSync(join(root, 'test', 'support', 'fakeArgyle', 'fixtures', file));
			const { status, items } = await stage.receiver.call(recorded, stage.signed(recorded));
			expect(status).toBe(200);
			expect(items).toEqual([{ json: JSON.parse(recorded.toString()) }]);
		},
	);
});

describe('a call that is not genuine', () => {
	beforeEach(async () => await activate(stage.trigger));

	it.each<[string, () => [string | Buffer, Record<string, string>]]>([
		['without a signature', () => [body, {}]],
		['with one byte flipped', () => [body.replace('user_forms', 'user_formz'), stage.signed(body)]],
		['compact instead of indented', () => [JSON.stringify(JSON.parse(body)), stage.signed(body)]],
		['with a line break added', () => [`${body}\n`, stage.signed(body)]],
		[
			'with a signature of 127 characters',
			() => [body, { 'X-Argyle-Signature': sign(body, String(stateOf(stage.trigger).secret)).slice(1) }],
		],
		['with a signature that is not hex', () => [body, { 'X-Argyle-Signature': 'Z'.repeat(128) }]],
		['with an empty signature', () => [body, { 'X-Argyle-Signature': '' }]],
		['signed with another secret', () => [body, stage.signed(body, 'f'.repeat(64))]],
		['signed with an empty secret', () => [body, stage.signed(body, '')]],
		[
			'with the signature in another header',
			() => [body, { 'X-Signature': sign(body, String(stateOf(stage.trigger).secret)) }],
		],
		[
			'signed twice',
			() => [
				body,
				{
					'X-Argyle-Signature': `${sign(body, String(stateOf(stage.trigger).secret))}, ${sign(body, String(stateOf(stage.trigger).secret))}`,
				},
			],
		],
		['whose raw bytes n8n did not keep', () => [body, { ...stage.signed(body), 'X-Test-Without-Raw-Body': '1' }]],
	])('%s is answered 401 and starts nothing', async (_, call) => {
		const result = await stage.receiver.call(...call());
		expect(result).toMatchObject({ status: 401, body: '{"message":"Unauthorized"}', items: undefined });
	});

	it('makes the trigger ask the service once, however many come', async () => {
		const before = stage.asked();
		for (let index = 0; index < 20; index++) await stage.receiver.call(body, stage.signed(body, 'f'.repeat(64)));
		expect(stage.asked()).toBe(before + 1);
	});
});

describe('a genuine call that is not for the workflow', () => {
	beforeEach(async () => await activate(stage.trigger));

	it('of another event is answered 200, so that Argyle does not send it again', async () => {
		const other = eventBody('accounts.added', 'Forms', {});
		expect(await stage.receiver.call(other, stage.signed(other))).toMatchObject({
			status: 200,
			body: '{"message":"Event not subscribed"}',
			items: undefined,
		});
	});

	it.each(['[]', '{}', '"text"', '{"event":"user_forms.submitted"}', 'no json'])(
		'whose body is %s is answered 400',
		async (text) => {
			const answer = { status: 400, body: '{"message":"Not an Argyle event"}', items: undefined };
			expect(await stage.receiver.call(text, stage.signed(text))).toMatchObject(answer);
		},
	);
});

describe('the secret of a subscription that was just replaced', () => {
	it('goes on verifying for two minutes, and not longer', async () => {
		await activate(stage.trigger);
		const old = stateOf(stage.trigger).secret;
		stage.trigger.parameters = { ...stage.trigger.parameters, events: ['user_forms.submitted', 'user_forms.removed'] };
		await activate(stage.trigger);
		expect(stateOf(stage.trigger).secret).not.toBe(old);
		expect((await stage.receiver.call(body, stage.signed(body, old))).status).toBe(200);

		const replacedAt = Date.now();
		jest.spyOn(Date, 'now').mockReturnValue(replacedAt + 119_000);
		expect((await stage.receiver.call(body, stage.signed(body, old))).status).toBe(200);
		jest.spyOn(Date, 'now').mockReturnValue(replacedAt + 121_000);
		expect((await stage.receiver.call(body, stage.signed(body, old))).status).toBe(401);
		expect((await stage.receiver.call(body, stage.signed(body))).status).toBe(200);
	});
});
