import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { eventBody } from '../support/fakeArgyle/event.mts';
import { startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { DeliveryFixture } from '../support/n8nCore/deliveryFixture.mts';
import { activate, startReceiver } from '../support/n8nCore/trigger.mts';
import { newTrigger } from '../support/n8nCore/triggerFixture.mts';

let stage: DeliveryFixture;
let storing: () => Promise<void>;
beforeEach(async () => {
	const service = await startFakeArgyle();
	const trigger = newTrigger(service);
	storing = async () => {};
	stage = new DeliveryFixture(service, trigger, await startReceiver(trigger, async () => await storing()));
});
afterEach(async () => {
	jest.restoreAllMocks();
	await stage.clear();
});

async function publish(options: IDataObject) {
	stage.trigger.parameters = { events: ['user_forms.submitted', 'accounts.updated'], options };
	await activate(stage.trigger);
}

const form = (id: string = randomUUID(), name = 'Forms') =>
	eventBody('user_forms.submitted', name, { account: randomUUID(), user: randomUUID(), user_form: id });

const deliver = async (body: string, headers: Record<string, string> = {}) => {
	const { status, body: answer, items } = await stage.receiver.call(body, { ...stage.signed(body), ...headers });
	return [status, JSON.parse(answer).message, items?.length ?? 0];
};

const TAKEN = [200, 'Received', 1];
const SKIPPED = [200, 'Already received', 0];

describe('Skip Duplicates', () => {
	beforeEach(async () => await publish({ skipDuplicates: true }));

	it('takes a form once, whatever else the delivery says and through whichever subscription it comes', async () => {
		const id = randomUUID();
		expect(await deliver(form(id))).toEqual(TAKEN);
		expect(await deliver(form(id))).toEqual(SKIPPED);
		expect(await deliver(form(id, 'Renamed'))).toEqual(SKIPPED);
		expect(await deliver(form())).toEqual(TAKEN);
	});

	it('takes an equal event of another kind again after two minutes, and one that says something else at once', async () => {
		const body = eventBody('accounts.updated', 'Forms', { account: 'a', user: 'u' });
		expect(await deliver(body)).toEqual(TAKEN);
		expect(await deliver(body)).toEqual(SKIPPED);
		expect(await deliver(eventBody('accounts.updated', 'Forms', { account: 'b', user: 'u' }))).toEqual(TAKEN);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_001);
		expect(await deliver(body)).toEqual(TAKEN);
	});

	it('takes one of many that come in together', async () => {
		const body = form();
		const answers = await Promise.all(Array.from({ length: 20 }, async () => await deliver(body)));
		expect(answers.filter(([, message]) => message === 'Received')).toHaveLength(1);
		expect(answers.filter(([, message]) => message === 'Already received')).toHaveLength(19);
	});

	it('takes a delivery again when n8n could not store the first', async () => {
		const body = form();
		expect((await deliver(body, { 'X-Test-Store-Fails': '1' }))[0]).toBe(500);
		expect(await deliver(body)).toEqual(TAKEN);
		expect(await deliver(body)).toEqual(SKIPPED);
	});

	it('lets a delivery beside one that fails take its place', async () => {
		let fail = () => {};
		const isStoring = new Promise<void>((reached) => {
			storing = async () => {
				reached();
				await new Promise<void>((resolve) => (fail = resolve));
			};
		});
		const body = form();
		const first = deliver(body, { 'X-Test-Store-Fails': '1' });
		await isStoring;
		const second = deliver(body);
		storing = async () => {};
		fail();
		expect((await first)[0]).toBe(500);
		expect(await second).toEqual(TAKEN);
	});

	it('knows nothing of other triggers, and nothing when it is off', async () => {
		const body = form();
		expect(await deliver(body)).toEqual(TAKEN);
		stage.trigger.workflowId = randomUUID();
		expect(await deliver(body)).toEqual(TAKEN);
		stage.trigger.parameters = { ...stage.trigger.parameters, options: {} };
		expect(await deliver(body)).toEqual(TAKEN);
	});
});

describe('Only From Argyle', () => {
	beforeEach(async () => await publish({ onlyFromArgyle: true }));

	it('takes a delivery from one of the four addresses, as the proxy in front of n8n tells it', async () => {
		expect(await deliver(form(), { 'X-Forwarded-For': '34.27.251.226' })).toEqual(TAKEN);
		expect(await deliver(form(), { 'X-Forwarded-For': '1.2.3.4, 35.226.53.251' })).toEqual(TAKEN);
	});

	it.each<[string, Record<string, string>]>([
		['from another address', {}],
		['that claims an address further back than the proxies reach', { 'X-Forwarded-For': '34.27.251.226, 1.2.3.4' }],
	])('refuses a call %s, however well it is signed, and asks the service nothing', async (_, headers) => {
		const asked = stage.asked();
		expect(await deliver(form(), headers)).toEqual([403, 'Only Argyle may call this address', 0]);
		expect(await deliver(form(), { ...headers, 'X-Argyle-Signature': 'f'.repeat(128) })).toEqual([
			403,
			expect.any(String),
			0,
		]);
		expect(stage.asked()).toBe(asked);
	});

	it('proves each call genuine all the same', async () => {
		const headers = { 'X-Forwarded-For': '34.27.251.226', 'X-Argyle-Signature': 'f'.repeat(128) };
		expect((await deliver(form(), headers))[0]).toBe(401);
	});
});
