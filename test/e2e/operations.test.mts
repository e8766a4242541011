import { argyle, generateReceipt, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { startE2eFixture, type E2eFixture } from '../support/n8n/stage.mts';

let stage: E2eFixture;
beforeAll(async () => {
	stage = await startE2eFixture();
}, 180_000);
afterAll(async () => await stage.stop());

/** Runs nodes one after the other, started by hand, and gives the ended execution. */
async function run(name: string, nodes: SavedNode[]): Promise<FullExecution> {
	const all = [n8nNode('Start', 'manualTrigger'), ...nodes];
	const workflow = await stage.client.createWorkflow(name, all, inARow(all));
	const id = await stage.client.run(workflow.id, 'Start');
	await stage.client.waitForExecutions(workflow.id, 1);
	return await stage.client.execution(id ?? '');
}

const webhook = (operation: string, parameters: object) =>
	argyle(stage.credential, { resource: 'webhook', operation, ...parameters });
const webhookId = (value: string) => ({ webhookId: { __rl: true, mode: 'id', value } });

describe('webhook subscriptions', () => {
	let id = '';

	it('are created, got and deleted; a second delete says that it is not there', async () => {
		const form = {
			name: 'By hand',
			url: 'https://example.com/argyle',
			events: ['user_forms.submitted', 'user_forms.removed'],
		};
		const created = await run('Create', [
			webhook('create', { ...form, additionalFields: { secret: 'my own secret' }, options: {} }),
		]);
		expect(created.output.Argyle).toMatchObject([{ json: { ...form, has_secret: true }, pairedItem: { item: 0 } }]);
		id = String(created.output.Argyle?.[0]?.json.id);
		expect(stage.service.subscriptions.get(id)?.secret).toBe('my own secret');

		const got = await run('Get', [webhook('get', { ...webhookId(id), options: {} })]);
		expect(got.output.Argyle?.[0]?.json).toMatchObject({ id, name: 'By hand', last_sent_at: null });

		const deleted = await run('Delete', [webhook('delete', webhookId(id))]);
		expect(deleted.output.Argyle?.[0]?.json).toEqual({ deleted: true, id });
		expect(stage.service.subscriptions.size).toBe(0);

		const again = await run('Delete again', [webhook('delete', webhookId(id))]);
		expect(again).toMatchObject({
			status: 'error',
			error: `Argyle could not find the webhook subscription ${id} [item 0]`,
		});
	}, 60_000);

	it('are listed: all 205 over two pages, or up to a limit', async () => {
		for (let index = 0; index < 205; index++) {
			const made = newSubscription({ name: `n${index}`, url: 'https://example.com', events: ['*'] });
			stage.service.subscriptions.set(made.id, made);
		}
		stage.service.requests.length = 0;
		const all = await run('All', [webhook('getAll', { returnAll: true, filters: {}, options: {} })]);
		expect(all.output.Argyle).toHaveLength(205);
		expect(stage.service.requests).toHaveLength(2);
		const seven = await run('Seven', [webhook('getAll', { returnAll: false, limit: 7, filters: {}, options: {} })]);
		expect(seven.output.Argyle).toHaveLength(7);
	}, 60_000);
});

describe('receipts', () => {
	it('are generated for three users in one execution, of which the second fails', async () => {
		const [first = '', , third = ''] = stage.service.users.keys();
		const unknown = '00000000-0000-4000-8000-000000000000';
		const users = n8nNode(
			'Users',
			'code',
			{ jsCode: `return ${JSON.stringify([first, unknown, third])}.map((user) => ({ json: { user } }));` },
			2,
		);
		const { status, output } = await run('Three receipts', [
			users,
			generateReceipt(stage.credential, '={{ $json.user }}', { onError: 'continueRegularOutput' }),
		]);
		expect(status).toBe('success');
		const items = output['Generate Receipt'] ?? [];
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(items[1]).toMatchObject({ json: { error: `Argyle could not find the user ${unknown} [item 1]` } });
		expect(items[1]?.binary).toBeUndefined();
		for (const [index, user] of [
			[0, first],
			[2, third],
		] as const) {
			const data = items[index]?.binary?.data;
			expect(data === undefined ? undefined : await stage.client.binary(data)).toEqual(
				await stage.service.receiptPdf(user),
			);
		}
	}, 60_000);

	it('send a failing item to the error output when the node has one', async () => {
		const [first = ''] = stage.service.users.keys();
		const users = n8nNode(
			'Users',
			'code',
			{ jsCode: `return ${JSON.stringify([first, 'no id'])}.map((user) => ({ json: { user } }));` },
			2,
		);
		const { output } = await run('Error output', [
			users,
			generateReceipt(stage.credential, '={{ $json.user }}', { onError: 'continueErrorOutput' }),
		]);
		expect(output['Generate Receipt']).toMatchObject([{ json: { user: first } }]);
	}, 60_000);
});

describe('the credential test', () => {
	it('has four different words: good, wrong key, other environment, service down', async () => {
		const { client, credentialData, service } = stage;
		const { id, secret } = service.otherEnvironmentKey;
		const results = [
			await client.testCredential('argyleApi', credentialData),
			await client.testCredential('argyleApi', { ...credentialData, apiKeySecret: 'wrong-secret' }),
			await client.testCredential('argyleApi', { ...credentialData, apiKeyId: id, apiKeySecret: secret }),
			await client.testCredential('argyleApi', { ...credentialData, baseUrl: 'http://127.0.0.1:9' }),
		];
		expect(results.map(({ status }) => status)).toEqual(['OK', 'Error', 'Error', 'Error']);
		const parts = [
			'Connected to Argyle',
			'does not know this API key',
			'belongs to the other environment',
			'could not be reached',
		];
		for (const [index, part] of parts.entries()) expect(results[index]?.message).toContain(part);
	}, 60_000);
});
