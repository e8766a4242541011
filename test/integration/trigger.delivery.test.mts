import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { formData, formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { root } from '../support/paths.mts';

const RECORDED = join(root, 'test', 'support', 'fakeArgyle', 'fixtures');

const trigger = useTriggerFixture();
beforeEach(async () => await trigger.activate());

const signature = () => sign(formDelivery, String(trigger.state.secret));

describe('trigger receives a genuine delivery', () => {
	it('a genuine delivery starts the workflow with its payload as one item', async () => {
		const result = await trigger.deliver(formDelivery);
		expect(result).toMatchObject({ status: 200, body: '{"message":"Received"}' });
		expect(result.items).toEqual([{ json: { event: 'user_forms.submitted', name: 'Forms', data: formData } }]);
	});

	it('a genuine delivery is parsed from its raw bytes', async () => {
		const spaced = '{"event" : "user_forms.submitted",\r\n "data":{ "a":"\\u00e4 ä €" } }';
		expect((await trigger.deliver(spaced)).items).toEqual([
			{ json: { event: 'user_forms.submitted', data: { a: 'ä ä €' } } },
		]);
	});

	it('a genuine delivery changes no static data and causes no request to Argyle', async () => {
		const requestsBefore = trigger.requestCount('GET');
		const { staticData } = await trigger.deliver(formDelivery);
		expect(staticData).toEqual(trigger.staticData);
		expect(trigger.requestCount('GET')).toBe(requestsBefore);
	});

	it.each(readdirSync(RECORDED))('a recorded delivery starts the workflow: %s', async (file) => {
		trigger.parameters = { ...trigger.parameters, events: ['*'] };
		const recorded = readFileSync(join(RECORDED, file));
		const { status, items } = await trigger.deliver(recorded);
		expect(status).toBe(200);
		expect(items).toEqual([{ json: JSON.parse(recorded.toString()) }]);
	});
});

describe('trigger receives a forged call', () => {
	it.each<[string, () => ReturnType<typeof trigger.deliver>]>([
		['without a signature', async () => await trigger.receiver.call(formDelivery)],
		[
			'whose body was compacted after signing',
			async () =>
				await trigger.deliver(JSON.stringify(JSON.parse(formDelivery)), {
					headers: { 'X-Argyle-Signature': signature() },
				}),
		],
		['signed with another secret', async () => await trigger.deliver(formDelivery, { secret: 'f'.repeat(64) })],
		['signed with an empty secret', async () => await trigger.deliver(formDelivery, { secret: '' })],
		[
			'with the signature in another header',
			async () => await trigger.receiver.call(formDelivery, { headers: { 'X-Signature': signature() } }),
		],
		[
			'with the right signature twice in the header',
			async () =>
				await trigger.deliver(formDelivery, { headers: { 'X-Argyle-Signature': `${signature()}, ${signature()}` } }),
		],
		['whose raw bytes n8n did not keep', async () => await trigger.deliver(formDelivery, { hasRawBody: false })],
	])('a call %s is answered 401 and starts nothing', async (_, call) => {
		expect(await call()).toMatchObject({ status: 401, body: '{"message":"Unauthorized"}', items: undefined });
	});

	it('many forged calls cause one request to Argyle', async () => {
		const requestsBefore = trigger.requestCount('GET');
		for (let index = 0; index < 20; index++) await trigger.deliver(formDelivery, { secret: 'f'.repeat(64) });
		expect(trigger.requestCount('GET')).toBe(requestsBefore + 1);
	});
});

describe('trigger receives a genuine call that is not for its workflow', () => {
	it('a genuine event that is not subscribed is answered 200, so that Argyle does not repeat it', async () => {
		expect(await trigger.deliver(eventBody('accounts.added', 'Forms', {}))).toMatchObject({
			status: 200,
			body: '{"message":"Event not subscribed"}',
			items: undefined,
		});
	});

	it.each(['[]', '{}', '"text"', '{"event":"user_forms.submitted"}', 'no json'])(
		'a signed body that is no event is answered 400: %s',
		async (body) => {
			const answer = { status: 400, body: '{"message":"Not an Argyle event"}', items: undefined };
			expect(await trigger.deliver(body)).toMatchObject(answer);
		},
	);
});

it('the secret of a replaced subscription is accepted for two minutes', async () => {
	const old = trigger.state.secret;
	trigger.parameters = { ...trigger.parameters, events: ['user_forms.submitted', 'user_forms.removed'] };
	await trigger.activate();
	expect(trigger.state.secret).not.toBe(old);
	expect((await trigger.deliver(formDelivery, { secret: old })).status).toBe(200);

	const replacedAt = Date.now();
	jest.spyOn(Date, 'now').mockReturnValue(replacedAt + 119_000);
	expect((await trigger.deliver(formDelivery, { secret: old })).status).toBe(200);
	jest.spyOn(Date, 'now').mockReturnValue(replacedAt + 121_000);
	expect((await trigger.deliver(formDelivery, { secret: old })).status).toBe(401);
	expect((await trigger.deliver(formDelivery)).status).toBe(200);
});
