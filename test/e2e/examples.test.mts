import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { type Mailbox, type Part, partsOf, startMailbox } from '../support/mailbox.mts';
import type { Json } from '../support/json.mts';
import type { N8nClient, StoredWorkflow } from '../support/n8n/client.mts';
import { type ExampleCredentials, importExample, readExamples } from '../support/n8n/example.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import { unzip } from '../support/unzip.mts';

const DAY_MS = 86_400_000;

let fixture: N8nFixture;
let client: N8nClient;
let argyle: FakeArgyle;
let mailbox: Mailbox;
let credentials: ExampleCredentials;

beforeAll(async () => {
	mailbox = await startMailbox();
	fixture = await startN8nFixture();
	({ client } = fixture);
	const connection = await fixture.connectArgyle({ retryAfterMs: 500 });
	({ argyle } = connection);
	const smtp = await client.createCredential('Mail', 'smtp', {
		host: '127.0.0.1',
		port: mailbox.port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	});
	credentials = { argyleApi: connection.credential, smtp };
}, 180_000);
afterAll(async () => {
	await fixture.stop();
	mailbox.stop();
});
afterEach(() => {
	mailbox.mails.length = 0;
});

async function importWorkflow(file: string, changes?: Record<string, Json>): Promise<StoredWorkflow> {
	return await importExample(client, credentials, file, changes);
}

/** Runs a published workflow once by what starts it, then unpublishes it. */
async function runPublished(workflow: StoredWorkflow, start: () => Promise<unknown>): Promise<FullExecution> {
	await client.publish(workflow);
	await start();
	const [listed] = await client.waitForExecutions(workflow.id, 1);
	await client.unpublish(workflow.id);
	return await client.execution(listed?.id ?? '');
}

async function runByHand(workflow: StoredWorkflow, startNode: string): Promise<FullExecution> {
	const id = await client.run(workflow.id, startNode);
	return await until('the execution has ended', 30_000, async () => {
		const execution = await client.execution(id ?? '');
		return ['new', 'running'].includes(execution.status) ? undefined : execution;
	});
}

/** The parts of the only mail that was sent. */
function onlyMail(): Part[] {
	expect(mailbox.mails).toMatchObject([{ from: 'n8n@example.com', to: ['team@example.com'] }]);
	return mailbox.mails.flatMap(partsOf);
}

it.each(readExamples())(
	'example $file has no credentials and no pinned data, and one note of three to six sentences',
	({ name, nodes, pinData }) => {
		expect(name).toMatch(/^Argyle: /);
		expect(pinData).toEqual({});
		expect(nodes.filter((node) => 'credentials' in node || 'webhookId' in node)).toEqual([]);
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes).toHaveLength(1);
		const sentences = JSON.stringify(notes).match(/\.(?=[ \\"])/g) ?? [];
		expect(sentences.length).toBeGreaterThanOrEqual(3);
		expect(sentences.length).toBeLessThanOrEqual(6);
	},
);

it('form-to-notification.json e-mails the content of the submitted form', async () => {
	const workflow = await importWorkflow('form-to-notification.json');
	const { status } = await runPublished(workflow, async () => {
		await argyle.submitForm({ incomeSource: 'Corner Bakery', payrollProvider: 'Paper checks' });
	});
	expect(status).toBe('success');
	const [text] = onlyMail();
	expect(String(text?.bytes)).toContain('Income source: Corner Bakery\r\nPayroll provider: Paper checks');
}, 60_000);

it('form-to-notification.json e-mails the reason when the form no longer exists', async () => {
	const workflow = await importWorkflow('form-to-notification.json');
	argyle.addFault({ kind: 'status', status: 404, method: 'GET', path: /^\/v2\/user-forms\// });
	const { status } = await runPublished(workflow, async () => await argyle.submitForm());
	expect(status).toBe('success');
	const [text] = onlyMail();
	expect(String(text?.bytes)).toContain('Income source: not known');
	expect(String(text?.bytes)).toContain('Argyle could not find the user form');
}, 60_000);

it("form-to-receipt-by-email.json e-mails that user's receipt, byte for byte", async () => {
	const [, user = ''] = argyle.users.keys();
	const workflow = await importWorkflow('form-to-receipt-by-email.json');
	const { status } = await runPublished(workflow, async () => await argyle.submitForm({ user }));
	expect(status).toBe('success');
	const [, attachment] = onlyMail();
	expect(attachment?.fileName).toBe(`receipt-${user}.pdf`);
	expect(attachment?.bytes).toEqual(await argyle.receiptPdf(user));
}, 60_000);

it('monthly-receipts.json e-mails one archive with the receipts of all users', async () => {
	const workflow = await importWorkflow('monthly-receipts.json');
	const { status } = await runByHand(workflow, 'Every Month');
	expect(status).toBe('success');
	const [text, archive] = onlyMail();
	expect(String(text?.bytes)).toBe('3 receipts are attached.');
	expect(archive?.fileName).toMatch(/^argyle-receipts-\d{4}-\d\d\.zip$/);
	const files = unzip(archive?.bytes ?? Buffer.alloc(0));
	expect(files.size).toBe(argyle.users.size);
	for (const user of argyle.users.keys())
		expect(files.get(`receipt-${user}.pdf`)).toEqual(await argyle.receiptPdf(user));
}, 60_000);

it('monthly-receipts.json names the user without a receipt and e-mails no incomplete archive', async () => {
	const workflow = await importWorkflow('monthly-receipts.json');
	argyle.addFault({ kind: 'status', status: 404, method: 'POST', path: '/v2/receipts' });
	const { status, error } = await runByHand(workflow, 'Every Month');
	expect({ status, error }).toMatchObject({
		status: 'error',
		error: expect.stringMatching(/^Argyle could not find the user [0-9a-f-]{36} \[item \d\]$/),
	});
	expect(mailbox.mails).toEqual([]);
}, 60_000);

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

function addSubscription(url: string, created_at: string, last_sent_at: string | null): string {
	const subscription = { ...newSubscription({ name: url, url, events: ['*'] }), created_at, last_sent_at };
	argyle.subscriptions.set(subscription.id, subscription);
	return subscription.id;
}

it('remove-stale-subscriptions.json deletes old, unused subscriptions of other hosts, once its Delete node is activated', async () => {
	const trigger = argyleTrigger(credentials.argyleApi);
	const own = await client.createWorkflow('Own trigger', [trigger], {});
	await client.publish(own);
	for (const subscription of argyle.subscriptions.values()) subscription.created_at = '2020-01-01T00:00:00Z';
	const stale = [
		addSubscription('https://old.example.com/argyle', daysAgo(200), null),
		addSubscription('https://www.old.example.com', daysAgo(300), daysAgo(91)),
	];
	addSubscription('https://new.example.com/argyle', daysAgo(89), null);
	const busy = addSubscription('https://busy.example.com/argyle', daysAgo(500), daysAgo(1));
	addSubscription(`${client.origin}/webhook/argyle-deliveries`, daysAgo(500), daysAgo(400));
	const before = [...argyle.subscriptions.keys()];
	expect(before).toHaveLength(6);

	const imported = await importWorkflow('remove-stale-subscriptions.json');
	const looking = await runByHand(imported, 'Start by Hand');
	expect(looking.status).toBe('success');
	expect(looking.output['Stale Ones']?.map(({ json }) => json.id).sort()).toEqual([...stale].sort());

	const assignments = [{ id: 'a', name: 'addresses', value: 'https://busy.example.com, ', type: 'string' }];
	const gone = await importWorkflow('remove-stale-subscriptions.json', {
		'Addresses That Are Gone': { parameters: { assignments: { assignments }, options: {} } },
	});
	const listed = (await runByHand(gone, 'Start by Hand')).output['Stale Ones'];
	expect(listed?.map(({ json }) => json.id).sort()).toEqual([...stale, busy].sort());
	expect([...argyle.subscriptions.keys()]).toEqual(before);

	const activated = await importWorkflow('remove-stale-subscriptions.json', {
		Delete: { disabled: false },
	});
	const deleting = await runByHand(activated, 'Start by Hand');
	expect(deleting.status).toBe('success');
	expect([...argyle.subscriptions.keys()]).toEqual(before.filter((id) => !stale.includes(id)));

	await client.unpublish(own.id);
	argyle.subscriptions.clear();
}, 120_000);

it('remove-stale-subscriptions.json can only be started by hand', async () => {
	const workflow = await importWorkflow('remove-stale-subscriptions.json');
	await expect(client.publish(workflow)).rejects.toThrow(/trigger/i);
}, 60_000);

it('verify-deliveries.json separates genuine deliveries from forged ones', async () => {
	const secret = 'the secret of the subscription';
	const url = `${client.origin}/webhook/argyle-deliveries`;
	const subscription = newSubscription({ name: 'My own', url, events: ['user_forms.submitted'], secret });
	argyle.subscriptions.set(subscription.id, subscription);
	const workflow = await importWorkflow('verify-deliveries.json', {
		'Verify Delivery': { parameters: { secret } },
	});
	await client.publish(workflow);

	const { form, attempts } = await argyle.submitForm();
	expect(attempts).toMatchObject([{ status: 200 }]);
	const [genuine] = await client.waitForExecutions(workflow.id, 1);
	const { output } = await client.execution(genuine?.id ?? '');
	expect(output.Genuine).toMatchObject([{ json: { data: { user_form: form.id }, verified: true } }]);
	expect(output.Forged).toBeUndefined();

	const body = eventBody('user_forms.submitted', 'My own', { account: 'a', user: 'u', user_form: 'f' });
	const signature = sign(body, 'guessed');
	const headers = { 'Content-Type': 'application/json', 'X-Argyle-Signature': signature };
	expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(401);
	const [forged] = await client.waitForExecutions(workflow.id, 2);
	const refused = await client.execution(forged?.id ?? '');
	expect(refused.output.Genuine).toBeUndefined();
	expect(refused.output.Forged?.map(({ json }) => json)).toEqual([{ verified: false }]);
	await client.unpublish(workflow.id);
	argyle.subscriptions.clear();
}, 120_000);
