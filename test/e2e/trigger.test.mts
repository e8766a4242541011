import { argyleTrigger, generateReceipt, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import type { StoredWorkflow } from '../support/n8n/client.mts';
import { until } from '../support/n8n/until.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { startE2eFixture, type E2eFixture } from '../support/n8n/stage.mts';

let stage: E2eFixture;
let trigger: SavedNode;
let workflow: StoredWorkflow;

beforeAll(async () => {
	stage = await startE2eFixture({ retryAfterMs: 500 });
}, 180_000);
afterAll(async () => await stage.stop());

/** Makes a workflow of the trigger and what follows it; nothing is published yet. */
async function makeWorkflow(name: string, following: SavedNode[], more: Partial<SavedNode> = {}) {
	trigger = { ...argyleTrigger(stage.credential), ...more };
	const nodes = [trigger, ...following];
	workflow = await stage.client.createWorkflow(name, nodes, inARow(nodes));
}

const url = (kind: 'webhook' | 'webhook-test') => `${stage.n8n.origin}/${kind}/${trigger.webhookId}/webhook`;
const subscriptionsTo = (address: string) =>
	[...stage.service.subscriptions.values()].filter((subscription) => subscription.url === address);

async function post(body: string, headers: Record<string, string>) {
	const response = await fetch(url('webhook'), {
		method: 'POST',
		body,
		headers: { 'Content-Type': 'application/json', ...headers },
	});
	return { status: response.status, body: await response.text() };
}

describe('a published workflow', () => {
	beforeAll(async () => {
		await makeWorkflow('Form to receipt', [generateReceipt(stage.credential, '={{ $json.data.user }}')]);
		await stage.client.publish(workflow);
	}, 60_000);

	it('has one subscription with the right name, URL, events and secret', () => {
		expect([...stage.service.subscriptions.values()]).toMatchObject([
			{
				name: 'n8n – Form to receipt',
				url: url('webhook'),
				events: ['user_forms.submitted'],
				config: {},
				secret: expect.stringMatching(/^[0-9a-f]{64}$/),
			},
		]);
	});

	it('runs on a form submission, and ends with the receipt of that user, byte for byte', async () => {
		const { form, user, attempts } = await stage.service.submitForm();
		expect(attempts).toMatchObject([{ status: 200, body: '{"message":"Received"}' }]);
		const [listed] = await stage.client.waitForExecutions(workflow.id, 1);
		const { status, output } = await stage.client.execution(listed?.id ?? '');
		expect(status).toBe('success');
		expect(output['Argyle Trigger']).toMatchObject([
			{
				json: {
					event: 'user_forms.submitted',
					name: 'n8n – Form to receipt',
					data: { account: form.account, user, user_form: form.id },
				},
			},
		]);
		const receipt = output['Generate Receipt']?.[0];
		expect(receipt?.binary?.data).toMatchObject({ fileName: 'receipt.pdf', mimeType: 'application/pdf' });
		const bytes = receipt?.binary?.data === undefined ? undefined : await stage.client.binary(receipt.binary.data);
		expect(bytes).toEqual(await stage.service.receiptPdf(user));
	});

	it('refuses what is not genuine, and acknowledges what is not subscribed, without an execution', async () => {
		const before = await stage.client.executions(workflow.id);
		const [subscription] = subscriptionsTo(url('webhook'));
		const secret = String(subscription?.secret);
		const body = eventBody('user_forms.submitted', 'n8n', { account: 'a', user: 'u', user_form: 'f' });
		const header = 'X-Argyle-Signature';
		const right = { [header]: sign(body, secret) };
		const refused = [
			await post(body.replace('submitted', 'submittee'), right),
			await post(JSON.stringify(JSON.parse(body)), right),
			await post(body, {}),
			await post(body, { [header]: sign(body, secret).slice(1) }),
			await post(body, { [header]: 'Z'.repeat(128) }),
		];
		expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
		const other = eventBody('accounts.added', 'n8n', {});
		expect((await post(other, { [header]: sign(other, secret) })).status).toBe(200);
		const noEvent = '{}';
		expect((await post(noEvent, { [header]: sign(noEvent, secret) })).status).toBe(400);
		expect(await stage.client.executions(workflow.id)).toEqual(before);
	});

	it('listens for a test event at an address of its own, refuses a bogus call there, and leaves nothing behind', async () => {
		expect(await stage.client.run(workflow.id, 'Argyle Trigger')).toBeUndefined();
		await until('the test subscription is there', 20_000, async () => subscriptionsTo(url('webhook-test'))[0]);
		const bogus = await fetch(url('webhook-test'), {
			method: 'POST',
			body: '{}',
			headers: { 'Content-Type': 'application/json', 'X-Argyle-Signature': '0'.repeat(128) },
		});
		expect(bogus.status).toBe(401);
		const [production] = subscriptionsTo(url('webhook'));
		const before = (await stage.client.executions(workflow.id)).length;
		const { attempts } = await stage.service.submitForm();
		expect(attempts.map(({ status }) => status)).toEqual([200, 200]);
		const executions = await stage.client.waitForExecutions(workflow.id, before + 2);
		expect(
			executions
				.slice(0, 2)
				.map(({ mode }) => mode)
				.sort(),
		).toEqual(['manual', 'webhook']);
		await until('the test subscription is gone', 20_000, async () =>
			subscriptionsTo(url('webhook-test')).length === 0 ? true : undefined,
		);
		expect(subscriptionsTo(url('webhook'))).toEqual([production]);
	}, 60_000);

	it('clears the test subscription away when listening is stopped', async () => {
		await stage.client.run(workflow.id, 'Argyle Trigger');
		await until('the test subscription is there', 20_000, async () => subscriptionsTo(url('webhook-test'))[0]);
		await stage.client.stopListening(workflow.id);
		await until('the test subscription is gone', 20_000, async () =>
			subscriptionsTo(url('webhook-test')).length === 0 ? true : undefined,
		);
		expect(subscriptionsTo(url('webhook'))).toHaveLength(1);
	}, 60_000);

	it('has no subscription left once it is unpublished; those of others stay', async () => {
		const other = newSubscription({ name: 'Somebody', url: 'https://elsewhere.example.com', events: ['*'] });
		stage.service.subscriptions.set(other.id, other);
		await stage.client.unpublish(workflow.id);
		await until('the subscription is gone', 20_000, async () =>
			subscriptionsTo(url('webhook')).length === 0 ? true : undefined,
		);
		expect([...stage.service.subscriptions.values()]).toEqual([other]);
		stage.service.subscriptions.clear();
	}, 60_000);
});

describe.each([1, 2])('the trigger of version %i', (typeVersion) => {
	it('proves a delivery of any content type, and refuses a form with files', async () => {
		await makeWorkflow(`Version ${typeVersion}`, [n8nNode('Done', 'noOp')], { typeVersion });
		await stage.client.publish(workflow);
		const [subscription] = subscriptionsTo(url('webhook'));
		const body = eventBody('user_forms.submitted', 'n8n', { account: 'a', user: 'u', user_form: 'f' });
		const signature = { 'X-Argyle-Signature': sign(body, String(subscription?.secret)) };
		const send = async (headers: Record<string, string>, data: Uint8Array<ArrayBuffer> | FormData) =>
			(await fetch(url('webhook'), { method: 'POST', body: data, headers: { ...signature, ...headers } })).status;
		const bytes = new TextEncoder().encode(body);
		const types = ['application/json', 'application/vnd.api+json', 'text/plain', 'application/octet-stream'];
		for (const type of types) expect([type, await send({ 'Content-Type': type }, bytes)]).toEqual([type, 200]);
		expect(await send({}, bytes)).toBe(200);
		const form = new FormData();
		form.set('event', body);
		expect(await send({}, form)).toBe(401);
		expect(await stage.client.waitForExecutions(workflow.id, 5)).toHaveLength(5);
		await stage.client.unpublish(workflow.id);
	}, 60_000);
});

describe('an activation that fails', () => {
	it('is told in words that n8n shows with the workflow, and heals by the next one', async () => {
		await makeWorkflow('Service down', [n8nNode('Done', 'noOp')]);
		stage.service.addFault({
			kind: 'status',
			status: 400,
			method: 'POST',
			path: '/v2/webhooks',
			times: 5,
			body: { url: ['Must be public.'] },
		});
		await expect(stage.client.publish(workflow)).rejects.toThrow('Argyle did not accept the request');
		stage.service.faults.clear();
		await stage.client.unpublish(workflow.id);
		await stage.client.publish(workflow);
		expect(subscriptionsTo(url('webhook'))).toHaveLength(1);
		await stage.client.unpublish(workflow.id);
		await until('the subscription is gone', 20_000, async () =>
			stage.service.subscriptions.size === 0 ? true : undefined,
		);
	}, 120_000);
});
