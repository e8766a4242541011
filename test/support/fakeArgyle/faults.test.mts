import { until } from '../n8n/until.mts';
import { call } from './call.mts';
import { type FakeArgyle, type FakeArgyleOptions, startFakeArgyle } from './index.mts';
import { newSubscription } from './webhooks.mts';

let service: FakeArgyle;
const started: FakeArgyle[] = [];

/** Starts a service that is stopped after the test, however that ends. */
async function start(options?: FakeArgyleOptions): Promise<FakeArgyle> {
	const made = await startFakeArgyle(options);
	started.push(made);
	return made;
}

beforeEach(async () => {
	service = await start();
});
afterEach(async () => {
	await Promise.all(started.splice(0).map(async (made) => await made.stop()));
});

const subscription = { name: 'Forms', url: 'http://127.0.0.1:9/hook', events: ['user_forms.submitted'] };

describe('a fault that was ordered', () => {
	it('shows ordered faults, each as often as ordered', async () => {
		service.addFault({ kind: 'status', status: 503, path: '/v2/users', times: 2 });
		service.addFault({ kind: 'html' });
		expect((await call(service, 'GET', '/v2/users')).status).toBe(503);
		expect(await call(service, 'GET', '/v2/webhooks')).toMatchObject({
			status: 502,
			text: expect.stringContaining('<html>'),
		});
		expect((await call(service, 'GET', '/v2/users')).status).toBe(503);
		expect((await call(service, 'GET', '/v2/users')).status).toBe(200);
		service.addFault({ kind: 'status', status: 500 });
		service.clearFaults();
		expect((await call(service, 'GET', '/v2/users')).status).toBe(200);
	});

	it('can be slow, and can hang until it stops', async () => {
		service.addFault({ kind: 'slow', delayMs: 100 });
		const began = Date.now();
		expect((await call(service, 'GET', '/v2/users')).status).toBe(200);
		expect(Date.now() - began).toBeGreaterThanOrEqual(95);

		const hanging = await start();
		hanging.addFault({ kind: 'hang' });
		let isOver = false;
		const answer = call(hanging, 'GET', '/v2/users').finally(() => (isOver = true));
		const ended = expect(answer).rejects.toThrow('fetch failed');
		await until('the request is there', 5_000, async () => hanging.requests[0]);
		expect((await call(hanging, 'GET', '/v2/users')).status).toBe(200);
		expect(isOver).toBe(false);
		await hanging.stop();
		await ended;
	});

	it('can do the work and lose the answer', async () => {
		service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		await expect(call(service, 'POST', '/v2/webhooks', subscription)).rejects.toThrow();
		expect(service.subscriptions.size).toBe(1);
		service.addFault({ kind: 'drop', method: 'POST' });
		await expect(call(service, 'POST', '/v2/webhooks', subscription)).rejects.toThrow();
		expect(service.subscriptions.size).toBe(1);
	});
});

describe('the control calls for a person at a shell', () => {
	it('submit a form and show subscriptions without secrets, past any fault', async () => {
		service.addFault({ kind: 'drop' });
		const submitted = await fetch(`${service.origin}/stand-in/forms`, {
			method: 'POST',
			body: '{"incomeSource":"Taxi"}',
		});
		const { form } = await submitted.json();
		expect(service.userForms.get(form.id)).toMatchObject({ data: { income_source: 'Taxi' } });
		const made = newSubscription(subscription);
		service.subscriptions.set(made.id, made);
		const text = await (await fetch(`${service.origin}/stand-in/subscriptions`)).text();
		expect(JSON.parse(text)).toMatchObject([{ id: made.id, has_secret: false }]);
		expect(text).not.toContain('"secret"');
	});
});
