import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import type { ArgyleConnection } from '../support/n8n/connectArgyle.mts';
import type { FullExecution, OutputItem } from '../support/n8n/execution.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import {
	argyleNode,
	type CredentialRef,
	generateReceipt,
	inARow,
	n8nNode,
	type SavedNode,
} from '../support/n8n/nodes.mts';

const UNKNOWN_USER = '00000000-0000-4000-8000-000000000000';

let fixture: N8nFixture;
let argyle: FakeArgyle;
let credential: CredentialRef;
let credentialData: ArgyleConnection['credentialData'];

beforeAll(async () => {
	fixture = await startN8nFixture();
	({ argyle, credential, credentialData } = await fixture.connectArgyle());
}, 180_000);
afterAll(async () => await fixture.stop());

/** Runs a workflow of these nodes by hand until it has ended. */
async function run(name: string, nodes: SavedNode[]): Promise<FullExecution> {
	const all = [n8nNode('Start', 'manualTrigger'), ...nodes];
	const workflow = await fixture.client.createWorkflow(name, all, inARow(all));
	const id = await fixture.client.run(workflow.id, 'Start');
	await fixture.client.waitForExecutions(workflow.id, 1);
	return await fixture.client.execution(id ?? '');
}

const webhook = (operation: string, parameters: object) =>
	argyleNode(credential, { resource: 'webhook', operation, ...parameters });
const byId = (value: string) => ({ webhookId: { __rl: true, mode: 'id', value } });

/** Generates a receipt for each of the users. */
async function runReceipts(users: string[], onError: string): Promise<{ status: string; items: OutputItem[] }> {
	const jsCode = `return ${JSON.stringify(users)}.map((user) => ({ json: { user } }));`;
	const { status, output } = await run('Receipts', [
		n8nNode('Users', 'code', { jsCode }, 2),
		generateReceipt(credential, '={{ $json.user }}', { onError }),
	]);
	return { status, items: output['Generate Receipt'] ?? [] };
}

async function receiptIn(item: OutputItem | undefined): Promise<Buffer | undefined> {
	const file = item?.binary?.data;
	return file && (await fixture.client.binary(file));
}

it('creates, gets and deletes a webhook subscription, and reports that a deleted one does not exist', async () => {
	const fields = {
		name: 'By hand',
		url: 'https://example.com/argyle',
		events: ['user_forms.submitted', 'user_forms.removed'],
	};
	const created = await run('Create', [
		webhook('create', { ...fields, additionalFields: { secret: 'my own secret' }, options: {} }),
	]);
	expect(created.output.Argyle).toMatchObject([{ json: { ...fields, has_secret: true }, pairedItem: { item: 0 } }]);
	const id = String(created.output.Argyle?.[0]?.json.id);
	expect(argyle.subscriptions.get(id)?.secret).toBe('my own secret');

	const got = await run('Get', [webhook('get', { ...byId(id), options: {} })]);
	expect(got.output.Argyle?.[0]?.json).toMatchObject({ id, name: 'By hand', last_sent_at: null });

	const deleted = await run('Delete', [webhook('delete', byId(id))]);
	expect(deleted.output.Argyle?.[0]?.json).toEqual({ deleted: true, id });
	expect(argyle.subscriptions.size).toBe(0);

	expect(await run('Delete again', [webhook('delete', byId(id))])).toMatchObject({
		status: 'error',
		error: `Argyle could not find the webhook subscription ${id} [item 0]`,
	});
}, 60_000);

it('gets all 205 webhook subscriptions in two pages, or as many as Limit says', async () => {
	for (let index = 0; index < 205; index++) {
		const subscription = newSubscription({ name: `n${index}`, url: 'https://example.com', events: ['*'] });
		argyle.subscriptions.set(subscription.id, subscription);
	}
	argyle.requests.length = 0;
	const all = await run('All', [webhook('getAll', { returnAll: true, filters: {}, options: {} })]);
	expect(all.output.Argyle).toHaveLength(205);
	expect(argyle.requests).toHaveLength(2);
	const limited = await run('Seven', [webhook('getAll', { returnAll: false, limit: 7, filters: {}, options: {} })]);
	expect(limited.output.Argyle).toHaveLength(7);
}, 60_000);

it('generates the receipts of the other users when one fails and the node continues on errors', async () => {
	const [first = '', , third = ''] = argyle.users.keys();
	const { status, items } = await runReceipts([first, UNKNOWN_USER, third], 'continueRegularOutput');
	expect(status).toBe('success');
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	expect(await receiptIn(items[0])).toEqual(await argyle.receiptPdf(first));
	expect(items[1]).toMatchObject({ json: { error: `Argyle could not find the user ${UNKNOWN_USER} [item 1]` } });
	expect(items[1]?.binary).toBeUndefined();
	expect(await receiptIn(items[2])).toEqual(await argyle.receiptPdf(third));
}, 60_000);

it('sends a failed item to the error output when the node has one', async () => {
	const [first = ''] = argyle.users.keys();
	const { items } = await runReceipts([first, 'no id'], 'continueErrorOutput');
	expect(items).toMatchObject([{ json: { user: first } }]);
}, 60_000);

it.each([
	{ result: 'success', status: 'OK', message: 'Connected to Argyle', wrongFields: () => ({}) },
	{
		result: 'a wrong API key',
		status: 'Error',
		message: 'does not know this API key',
		wrongFields: () => ({ apiKeySecret: 'wrong-secret' }),
	},
	{
		result: 'an API key of the other environment',
		status: 'Error',
		message: 'belongs to the other environment',
		wrongFields: ({ otherEnvironmentKey: { id, secret } }: FakeArgyle) => ({ apiKeyId: id, apiKeySecret: secret }),
	},
	{
		result: 'an unreachable Argyle',
		status: 'Error',
		message: 'could not be reached',
		wrongFields: () => ({ baseUrl: 'http://127.0.0.1:9' }),
	},
])(
	'reports $result when the credential is tested',
	async ({ status, message, wrongFields }) => {
		const result = await fixture.client.testCredential('argyleApi', { ...credentialData, ...wrongFields(argyle) });
		expect(result).toEqual({ status, message: expect.stringContaining(message) });
	},
	60_000,
);
