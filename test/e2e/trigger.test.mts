import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, type CredentialRef, generateReceipt, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';

const BODY = eventBody('user_forms.submitted', 'n8n', { account: 'a', user: 'u', user_form: 'f' });

let fixture: N8nFixture;
let argyle: FakeArgyle;
let credential: CredentialRef;

beforeAll(async () => {
	fixture = await startN8nFixture();
	({ argyle, credential } = await fixture.connectArgyle({ retryAfterMs: 500 }));
});
afterAll(async () => await fixture.stop());

interface TriggeredWorkflow {
	workflow: StoredWorkflow;
	url: string;
	testUrl: string;
}

async function createWorkflow(name: string, lastNode: SavedNode): Promise<TriggeredWorkflow> {
	const trigger = argyleTrigger(credential);
	const nodes = [trigger, lastNode];
	const path = `${trigger.webhookId}/webhook`;
	return {
		workflow: await fixture.client.createWorkflow(name, nodes),
		url: `${fixture.n8n.origin}/webhook/${path}`,
		testUrl: `${fixture.n8n.origin}/webhook-test/${path}`,
	};
}

const subscriptionsTo = (url: string) =>
	[...argyle.subscriptions.values()].filter((subscription) => subscription.url === url);

const secretOf = (url: string) => String(subscriptionsTo(url)[0]?.secret);

async function untilSubscriptions(count: number, url: string): Promise<void> {
	await until(`${count} subscriptions to ${url}`, 120_000, async () =>
		subscriptionsTo(url).length === count ? true : undefined,
	);
}

async function post(
	url: string,
	body: string | Uint8Array<ArrayBuffer> | FormData,
	headers: Record<string, string>,
): Promise<number> {
	return (await fetch(url, { method: 'POST', body, headers })).status;
}

describe('a published workflow', () => {
	let workflow: StoredWorkflow;
	let url: string;
	let testUrl: string;

	beforeAll(async () => {
		const receipt = generateReceipt(credential, '={{ $json.data.user }}');
		({ workflow, url, testUrl } = await createWorkflow('Form to receipt', receipt));
		await fixture.client.publish(workflow);
	});
	afterAll(async () => await fixture.client.unpublish(workflow.id));

	it("runs the workflow on a form submission and generates that user's receipt, byte for byte", async () => {
		const { form, user, attempts } = await argyle.submitForm();
		expect(attempts).toMatchObject([{ status: 200, body: '{"message":"Received"}' }]);
		const [listed] = await fixture.client.waitForExecutions(workflow.id, 1);
		const { status, output, customData } = await fixture.client.execution(listed?.id ?? '');
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
		const receipt = output['Generate Receipt']?.[0]?.binary?.data;
		const fileName = expect.stringMatching(`^receipt-${user}-.*pdf$`);
		expect(receipt).toMatchObject({ fileName, mimeType: 'application/pdf' });
		expect(receipt && (await fixture.client.binary(receipt))).toEqual(await argyle.receiptPdf(user));
		expect(customData).toMatchObject({ argyle_user: user, argyle_user_form: form.id });
	});

	it('listens for a test event at its test URL, refuses a forged one, and deletes the test subscription after it', async () => {
		expect(await fixture.client.run(workflow.id, 'Argyle Trigger')).toBeUndefined();
		await untilSubscriptions(1, testUrl);
		const forged = { 'Content-Type': 'application/json', 'X-Argyle-Signature': '0'.repeat(128) };
		expect(await post(testUrl, '{}', forged)).toBe(401);
		const production = subscriptionsTo(url);
		const before = (await fixture.client.executions(workflow.id)).length;
		const { attempts } = await argyle.submitForm();
		expect(attempts.map(({ status }) => status)).toEqual([200, 200]);
		const executions = await fixture.client.waitForExecutions(workflow.id, before + 2);
		const modes = executions.slice(0, 2).map(({ mode }) => mode);
		expect(modes.sort()).toEqual(['manual', 'webhook']);
		await untilSubscriptions(0, testUrl);
		expect(subscriptionsTo(url)).toEqual(production);
	});
});

it('accepts a signed delivery with any content type or none, and refuses multipart/form-data', async () => {
	const { workflow, url } = await createWorkflow('Content types', n8nNode('Done', 'noOp'));
	await fixture.client.publish(workflow);
	const signature = { 'X-Argyle-Signature': sign(BODY, secretOf(url)) };
	const bytes = new TextEncoder().encode(BODY);
	const types = ['application/json', 'application/vnd.api+json', 'text/plain', 'application/octet-stream'];
	for (const type of types)
		expect([type, await post(url, bytes, { ...signature, 'Content-Type': type })]).toEqual([type, 200]);
	expect(await post(url, bytes, signature)).toBe(200);
	const form = new FormData();
	form.set('event', BODY);
	expect(await post(url, form, signature)).toBe(401);
	expect(await fixture.client.waitForExecutions(workflow.id, 5)).toHaveLength(5);
	await fixture.client.unpublish(workflow.id);
});

it('a published trigger that is changed to Checking for Events removes its subscription, and back it registers one', async () => {
	const trigger = argyleTrigger(credential);
	const done = n8nNode('Done', 'noOp');
	const workflow = await fixture.client.publishNew('Changes its mind', [trigger, done]);
	expect(argyle.subscriptions.size).toBe(1);
	const changeTo = async (receiveBy: string, previous: StoredWorkflow) => {
		const changed = { ...trigger, parameters: { ...trigger.parameters, receiveBy } };
		const updated = await fixture.client.updateWorkflow(previous, [changed, done]);
		await fixture.client.publish(updated);
		return updated;
	};
	const polling = await changeTo('polling', workflow);
	expect(argyle.subscriptions.size).toBe(0);
	await changeTo('webhook', polling);
	expect(argyle.subscriptions.size).toBe(1);
	await fixture.client.unpublish(workflow.id);
	expect(argyle.subscriptions.size).toBe(0);
});
