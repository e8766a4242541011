import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveInnerSecret } from '../../nodes/Argyle/api/delivery';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { createExchange } from '../support/n8nCore/exchange.mts';
import { formData, formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { root } from '../support/paths.mts';

const RECORDED = join(root, 'test', 'support', 'fakeArgyle', 'fixtures');

const trigger = useTriggerFixture();
beforeEach(async () => await trigger.activate());

const signature = () => sign(formDelivery, String(trigger.ownSubscriptions()[0]?.secret));

describe('trigger receives a genuine delivery', () => {
	it('a genuine delivery starts the workflow with its payload as one item', async () => {
		const { status, body, items = [] } = await trigger.deliver(formDelivery);
		expect([status, body]).toEqual([200, '{"message":"Received"}']);
		const started = await trigger.runExecute(items);
		expect(started).toEqual([{ json: { event: 'user_forms.submitted', name: 'Forms', data: formData } }]);
	});

	it('a genuine delivery is parsed from its raw bytes', async () => {
		const spaced = '{"event" : "user_forms.submitted",\r\n "data":{ "a":"\\u00e4 ä €" } }';
		expect((await trigger.deliver(spaced)).items).toEqual([
			{ json: { event: 'user_forms.submitted', data: { a: 'ä ä €' } } },
		]);
	});

	it('a genuine delivery whose body n8n reads only on request starts the workflow', async () => {
		const headers = { 'x-argyle-signature': signature() };
		const { request, response } = createExchange({ headers, rawBody: undefined });
		const readRawBody = async () => {
			Object.defineProperty(request, 'rawBody', { value: Buffer.from(formDelivery) });
		};
		const { result } = await trigger.runWebhook(Object.assign(request, { readRawBody }), response);
		expect(result.workflowData?.[0]).toHaveLength(1);
	});

	it("a genuine delivery's own json and binary never become those of the item, which could name any file of n8n", async () => {
		const binary = { data: { id: 'filesystem-v2:workflows/1/executions/2/binary_data/3', mimeType: 'text/plain' } };
		const message = { ...JSON.parse(formDelivery), json: { event: 'forged' }, binary };
		const { items = [] } = await trigger.deliver(JSON.stringify(message));
		expect(await trigger.runExecute(items)).toEqual([{ json: message }]);
	});

	it('a genuine delivery changes no static data and causes no request to Argyle', async () => {
		const requestsBefore = trigger.requestCount('GET');
		const { staticData, items } = await trigger.deliver(formDelivery);
		expect(items).toHaveLength(1);
		expect(staticData).toEqual(trigger.staticData);
		expect(trigger.requestCount('GET')).toBe(requestsBefore);
	});

	it.each(readdirSync(RECORDED))('a recorded delivery starts the workflow: %s', async (file) => {
		trigger.parameters = { ...trigger.parameters, events: ['*'] };
		const recorded = readFileSync(join(RECORDED, file));
		const { status, items = [] } = await trigger.deliver(recorded);
		expect(status).toBe(200);
		expect(await trigger.runExecute(items)).toEqual([{ json: JSON.parse(recorded.toString()) }]);
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

	it('a call whose body n8n cannot read is answered 401', async () => {
		const { request, response, recorded } = createExchange({ headers: {}, rawBody: undefined });
		const readRawBody = async () => await Promise.reject(new Error('request aborted'));
		await trigger.runWebhook(Object.assign(request, { readRawBody }), response);
		expect(recorded).toEqual({ status: 401, sent: [{ message: 'Unauthorized' }] });
	});

	it('a call of more than 2 MiB is answered 413 in words, and one of 2 MiB is verified', async () => {
		const call = async (bytes: number) => await trigger.deliver(formDelivery.padEnd(bytes));
		expect(await call(2 * 1024 * 1024 + 1)).toMatchObject({
			status: 413,
			body: '{"message":"Larger than any event of Argyle"}',
			items: undefined,
		});
		expect((await call(2 * 1024 * 1024)).items).toHaveLength(1);
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

describe('trigger is asked which forms it has received', () => {
	// It stands still, because this machine may take longer than the milliseconds that count.
	beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.now()));

	/** What a process of this n8n asks, signed with the secret that never leaves n8n. */
	async function ask(keys: unknown, { secret = innerSecret(), at = Date.now(), state = {} } = {}) {
		const body = eventBody('n8n_nodes_argyle.received_events', 'Forms', { keys, at, state, process: 'another' });
		const { status, items, body: answer } = await trigger.deliver(body, { secret });
		expect(items).toBeUndefined();
		return { status, answer: JSON.parse(answer) };
	}
	const innerSecret = () => deriveInnerSecret({ apiKeySecret: trigger.service.key.secret }, trigger.url);
	const deliverySecret = () => String(trigger.ownSubscriptions()[0]?.secret);

	it('the answer names the forms that were received or have started the workflow, and starts nothing', async () => {
		const [started, other] = [randomUUID(), randomUUID()];
		await trigger.deliver(formDelivery);
		await trigger.runExecute([{ json: { event: 'user_forms.submitted', data: { user_form: started } } }]);
		const { status, answer } = await ask([started, formData.user_form, other, 7]);
		expect([status, answer]).toMatchObject([200, { received: [started, formData.user_form] }]);
	});

	it('the answer to a question without forms is empty, and one without a signature is answered 401', async () => {
		expect(await ask('all')).toMatchObject({ status: 200, answer: { received: [] } });
		expect((await trigger.receiver.call(eventBody('n8n_nodes_argyle.received_events', 'Forms', {}))).status).toBe(401);
	});

	it('with Only From Argyle on the question is answered, though it does not come from Argyle', async () => {
		trigger.parameters = { ...trigger.parameters, options: { onlyFromArgyle: true } };
		await trigger.activate();
		expect((await trigger.deliver(formDelivery)).status).toBe(403);
		expect(await ask([])).toMatchObject({ status: 200, answer: { received: [] } });
	});

	it('whoever knows the secret of deliveries, which Argyle shows to each key, can not change what is kept', async () => {
		const before = trigger.state;
		const state = { ...before, bookmark: Date.now() };
		expect(await ask([], { secret: deliverySecret(), state })).toMatchObject({
			status: 200,
			answer: { message: 'Event not subscribed' },
		});
		expect(trigger.state).toEqual(before);
	});

	it('a question that somebody sends again a minute later is refused, and changes nothing', async () => {
		const before = trigger.state;
		const state = { ...before, bookmark: Date.now() };
		expect(await ask([], { at: Date.now() - 61_000, state })).toMatchObject({ status: 401 });
		expect(trigger.state).toEqual(before);
		expect(await ask([], { state })).toMatchObject({ status: 200, answer: { isSaved: true } });
		expect(trigger.state).toEqual(state);
	});

	it('what is kept has at most 2,000 events, and no time of the future', async () => {
		const started = Array.from({ length: 50_000 }, (_, index) => String(index));
		await ask([], { state: { ...trigger.state, started, bookmark: Date.parse('2036-01-01'), lookedAt: Infinity } });
		expect(trigger.state).toEqual({ ...trigger.state, bookmark: undefined, started: started.slice(-2_000) });
	});
});

describe('trigger receives a form that it has received before', () => {
	const SKIPPED = { status: 200, body: '{"message":"Already received"}', items: undefined };
	const diskFull = async () => await Promise.reject(new Error('no space left'));

	it('a form that is delivered again is answered 200 and starts nothing, without an option, a day later too', async () => {
		expect((await trigger.deliver(formDelivery)).items).toHaveLength(1);
		expect(await trigger.deliver(formDelivery)).toMatchObject(SKIPPED);
		expect(await trigger.deliver(eventBody('user_forms.submitted', 'Renamed', formData))).toMatchObject(SKIPPED);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000);
		expect(await trigger.deliver(formDelivery)).toMatchObject(SKIPPED);
	});

	it('a form that n8n could not store is accepted when it comes again', async () => {
		expect((await trigger.deliver(formDelivery, { store: diskFull })).status).toBe(500);
		expect((await trigger.deliver(formDelivery)).items).toHaveLength(1);
	});

	it('a form that comes many times at once goes on once', async () => {
		const answers = await Promise.all(Array.from({ length: 10 }, async () => await trigger.deliver(formDelivery)));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
		const executions = answers.flatMap(({ items }) => (items === undefined ? [] : [items]));
		expect(executions.length).toBeGreaterThan(0);
		const started = await Promise.all(executions.map(async (items) => await trigger.runExecute(items)));
		expect(started.flat()).toHaveLength(1);
	});

	it('a form that was received in production starts a test, as often as it comes', async () => {
		await trigger.deliver(formDelivery);
		trigger.isTest = true;
		await trigger.activate();
		for (let count = 0; count < 2; count++) {
			const { items = [] } = await trigger.deliver(formDelivery);
			const started = await trigger.runExecute(items, 'manual');
			expect(started).toEqual([{ json: { event: 'user_forms.submitted', name: 'Forms', data: formData } }]);
		}
	});

	it('a form that another trigger received starts this one', async () => {
		await trigger.deliver(formDelivery);
		trigger.workflowId = randomUUID();
		expect((await trigger.deliver(formDelivery)).items).toHaveLength(1);
	});

	it('a removed form is another event than its submission', async () => {
		trigger.parameters = { events: ['*'], options: {} };
		await trigger.deliver(formDelivery);
		for (let count = 0; count < 2; count++)
			expect((await trigger.deliver(eventBody('user_forms.removed', 'Forms', formData))).items).toHaveLength(1);
	});
});
