import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeArgyle, ServedFile, StoredRecord } from '../support/fakeArgyle/index.mts';
import { storeInvite as inviteAtArgyle } from '../support/fakeArgyle/invites.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { type DriveFile, type FakeGoogle, startFakeGoogle } from '../support/fakeGoogle.mts';
import { type Mailbox, type Part, partsOf, startMailbox } from '../support/mailbox.mts';
import { isJson, type Json } from '../support/json.mts';
import type { N8nClient } from '../support/n8n/client.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { type ExampleCredentials, importExample, runByHand, runPublished } from '../support/n8n/example.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, argyleTrigger, generateReceipt, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { root } from '../support/paths.mts';
import { unzip } from '../support/unzip.mts';
import { agentTests } from './agentTests.mts';

const DAY_MS = 86_400_000;

let fixture: N8nFixture;
let client: N8nClient;
let argyle: FakeArgyle;
let mailbox: Mailbox;
let google: FakeGoogle;
let credentials: ExampleCredentials;

beforeAll(async () => {
	mailbox = await startMailbox();
	google = await startFakeGoogle();
	fixture = await startN8nFixture({ env: google.env });
	({ client } = fixture);
	const connection = await fixture.connectArgyle({ retryAfterMs: 500 });
	({ argyle } = connection);
	credentials = {
		argyleApi: connection.credential,
		httpBasicAuth: await client.createCredential('Form', 'httpBasicAuth', { user: 'team', password: 'secret' }),
		smtp: await client.createCredential('Mail', 'smtp', mailbox.credentialData),
		googleDriveOAuth2Api: await client.createCredential('Drive', 'googleDriveOAuth2Api', google.credentialData),
		googleSheetsOAuth2Api: await client.createCredential('Sheets', 'googleSheetsOAuth2Api', google.credentialData),
	};
}, 180_000);
afterAll(async () => {
	await fixture.stop();
	mailbox.stop();
	google.stop();
});
afterEach(() => {
	mailbox.mails.length = 0;
});

async function importWorkflow(file: string, changes?: Record<string, Json>): Promise<StoredWorkflow> {
	return await importExample(client, credentials, file, changes);
}

/** The parts of the only mail that was sent. */
function onlyMail(): Part[] {
	expect(mailbox.mails).toMatchObject([{ from: 'n8n@example.com', to: ['team@example.com'] }]);
	return mailbox.mails.flatMap(partsOf);
}

it('form-to-notification.json e-mails the content of the submitted form, and nothing of its sample', async () => {
	const workflow = await importWorkflow('form-to-notification.json');
	const { status } = await runPublished(client, workflow, async () => {
		await argyle.submitForm({ incomeSource: 'Corner Bakery', payrollProvider: 'Paper checks' });
	});
	expect(status).toBe('success');
	const [text] = onlyMail();
	expect(String(text?.bytes)).toContain('Income source: Corner Bakery\r\nPayroll provider: Paper checks');
}, 60_000);

it('form-to-notification.json e-mails its sample when it is executed by hand, with no subscription', async () => {
	const workflow = await importWorkflow('form-to-notification.json');
	const { status } = await runByHand(client, workflow, 'Form Submitted');
	expect(status).toBe('success');
	const [text] = onlyMail();
	expect(String(text?.bytes)).toContain('Income source: Sample Bakery\r\nPayroll provider: Sample Payroll');
	expect(argyle.subscriptions.size).toBe(0);
}, 60_000);

it('form-to-notification.json e-mails the reason when the form no longer exists', async () => {
	const workflow = await importWorkflow('form-to-notification.json');
	argyle.addFault({ kind: 'status', status: 404, method: 'GET', path: /^\/v2\/user-forms\//, times: Infinity });
	const { status } = await runPublished(client, workflow, async () => await argyle.submitForm());
	argyle.clearFaults();
	expect(status).toBe('success');
	const [text] = onlyMail();
	expect(String(text?.bytes)).toContain('Income source: not known');
	expect(String(text?.bytes)).toContain('Argyle could not find the user form');
}, 60_000);

it("form-to-receipt-by-email.json e-mails that user's receipt, byte for byte", async () => {
	const [, user = ''] = argyle.users.keys();
	const workflow = await importWorkflow('form-to-receipt-by-email.json');
	const { status } = await runPublished(client, workflow, async () => await argyle.submitForm({ user }));
	expect(status).toBe('success');
	const [, attachment] = onlyMail();
	expect(attachment?.fileName).toBe(`receipt-${user}.pdf`);
	expect(attachment?.bytes).toEqual(await argyle.receiptPdf(user));
}, 60_000);

it('monthly-receipts.json e-mails one archive with the receipts of all users', async () => {
	const workflow = await importWorkflow('monthly-receipts.json');
	const { status } = await runByHand(client, workflow, 'Every Month');
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
	const { status, error } = await runByHand(client, workflow, 'Every Month');
	expect({ status, error }).toMatchObject({
		status: 'error',
		error: expect.stringMatching(/^Argyle could not find the user [0-9a-f-]{36} \[item \d\]$/),
	});
	expect(mailbox.mails).toEqual([]);
}, 60_000);

/** A choice in a resource locator of a node. */
const chosen = (value: string) => ({ __rl: true, mode: 'list', value });

/** Delivers `paystubs.added` for new paystubs of a new account. */
async function addPaystubs(count: number): Promise<StoredRecord[]> {
	const account = randomUUID();
	const paystubs = argyle.addRecords('paystubs', count, { account });
	const user = argyle.accounts.get(account)?.user;
	const [added_to, added_from] = [paystubs[0]?.paystub_date, paystubs.at(-1)?.paystub_date];
	await argyle.deliver('paystubs.added', { account, user, added_count: count, added_from, added_to });
	return paystubs;
}

it('paystubs-to-sheet.json adds one row per new paystub to an empty sheet, also for two events at the same time', async () => {
	const workflow = await importWorkflow('paystubs-to-sheet.json', {
		'Add Rows': { parameters: { documentId: chosen('the-spreadsheet'), sheetName: chosen('gid=0') } },
	});
	await client.publish(workflow);
	const paystubs = (await Promise.all([addPaystubs(55), addPaystubs(2)])).flat();
	const executions = await client.waitForExecutions(workflow.id, 2);
	await client.unpublish(workflow.id);
	expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
	const columns = ['id', 'account', 'payroll_document', 'employer', 'paystub_date', 'paystub_period', 'currency'];
	const [head = [], ...rows] = google.rows;
	expect(head).toEqual([...columns, 'gross_pay', 'net_pay', 'hours']);
	const cell = (value: unknown) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value);
	const expected = paystubs.map((paystub) => head.map((column) => cell(paystub[String(column)])));
	expect(rows.map(String).sort()).toEqual(expected.map(String).sort());
}, 60_000);

/** Fills the sheet; without a status, people are not invited yet. */
function fillSheet(people: string[][]): void {
	google.rows.length = 0;
	google.rows.push(['First Name', 'Last Name', 'Email'], ...people);
}

const SHEET = { parameters: { documentId: chosen('the-spreadsheet'), sheetName: chosen('gid=0') } };

/** The columns of the result, by e-mail address. */
function resultsInSheet(): Map<unknown, Json> {
	const [head = [], ...rows] = google.rows;
	const results = rows.map((row) => Object.fromEntries(head.map((column, index) => [String(column), row[index]])));
	return new Map(results.map((result) => [result.Email, result]));
}

it('sheet-to-invites.json invites each person of the sheet once, and writes into the sheet what came of it', async () => {
	const workflow = await importWorkflow('sheet-to-invites.json', {
		...{ People: SHEET, 'Write Sending': SHEET, 'Write Result': SHEET },
	});
	fillSheet([
		['Alex', 'Sample', 'alex@example.com'],
		['Bea', 'Other', 'no address'],
		['Cem', 'Third', 'cem@example.com'],
		['Dan', 'Fourth', 'dan@example.com'],
		['No', 'Address', ''],
	]);
	argyle.addFault({ kind: 'statusAfterCommit', status: 502, method: 'POST', path: '/v2/invites' });
	argyle.addFault({ kind: 'status', status: 500, method: 'POST', path: '/v2/invites', skip: 2 });
	expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
	argyle.clearFaults();
	const results = resultsInSheet();
	const [invite] = [...argyle.invites.values()].filter(({ email }) => email === 'alex@example.com');
	expect(results.get('alex@example.com')).toMatchObject({ Status: 'invited', User: invite?.user, Invite: invite?.id });
	expect(results.get('no address')).toMatchObject({
		...{ Status: 'not invited', Message: expect.stringContaining('Enter a valid email address.') },
	});
	expect(results.get('cem@example.com')).toMatchObject({ Status: 'invited' });
	expect(results.get('dan@example.com')).toMatchObject({
		...{ Status: 'to be checked', Message: expect.stringContaining('Check with Invite: Get Many') },
	});
	expect(JSON.stringify(google.rows)).not.toContain('verify.argyle.com');

	const sent = argyle.messages.length;
	await runByHand(client, workflow, 'Every Morning');
	expect(argyle.messages).toHaveLength(sent);
	expect(['alex', 'cem', 'dan'].map((name) => argyle.messagesTo(`${name}@example.com`))).toEqual([1, 1, 0]);
}, 120_000);

/** Stores an invite that was sent some days ago, after `reminders`. */
async function storeInvite(email: string, days: number, reminders: number): Promise<string> {
	const nodes = [
		n8nNode('Start', 'manualTrigger'),
		argyleNode(credentials.argyleApi, {
			...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: 'Sample' },
			...{ sendBy: 'email', email, additionalFields: {} },
		}),
	];
	const workflow = await client.createWorkflow('Invite', nodes, inARow(nodes));
	await runByHand(client, workflow, 'Start');
	const invite = [...argyle.invites.values()].find((each) => each.email === email);
	if (invite === undefined || !Array.isArray(invite.deliveries)) throw new Error('there is no invite');
	const [delivery] = invite.deliveries;
	invite.deliveries = Array.from({ length: reminders + 1 }, () => delivery);
	invite.invited_at = daysAgo(days);
	return invite.id;
}

it('remind-invites.json reminds of what nobody opened for three days, and revokes after three reminders', async () => {
	const workflow = await importWorkflow('remind-invites.json');
	argyle.invites.clear();
	const fresh = await storeInvite('fresh@example.com', 2, 0);
	const unopened = await storeInvite('unopened@example.com', 4, 0);
	const opened = await storeInvite('opened@example.com', 4, 0);
	const reminded = await storeInvite('reminded@example.com', 4, 3);
	argyle.person(opened).open();
	argyle.messages.length = 0;
	expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
	expect(argyle.messages.map(({ to }) => to)).toEqual(['unopened@example.com']);
	const statusOf = (id: string) => argyle.invites.get(id)?.status;
	expect([fresh, unopened, opened, reminded].map(statusOf)).toEqual(['sent', 'sent', 'initiated', 'revoked']);
	for (const reminders of [1, 2, 3]) {
		await runByHand(client, workflow, 'Every Morning');
		expect([argyle.messagesTo('unopened@example.com'), statusOf(unopened)]).toEqual([reminders, 'sent']);
		Object.assign(argyle.invites.get(unopened) ?? {}, { invited_at: daysAgo(4) });
		if (reminders < 3) await runByHand(client, workflow, 'Every Morning');
	}
	expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
	expect(argyle.messagesTo('unopened@example.com')).toBe(3);
	expect([fresh, unopened].map(statusOf)).toEqual(['sent', 'revoked']);
	expect(argyle.person(unopened).open()).toBe(false);
}, 120_000);

/** Delivers that a document with this file was added, and returns the files in Google Drive. */
async function uploadedDocuments(served: ServedFile): Promise<DriveFile[]> {
	google.files.clear();
	const [document] = argyle.addRecords('payroll-documents', 1);
	argyle.records.files.set(`/v2/payroll-documents/${document?.id}/file`, served);
	const workflow = await importWorkflow('payroll-documents-to-folder.json', {
		'Put Into Folder': { parameters: { folderId: chosen('the-folder') } },
	});
	const data = { account: document?.account, user: randomUUID(), payroll_document: document?.id };
	await runPublished(client, workflow, async () => await argyle.deliver('payroll_documents.added', data));
	return [...google.files.values()];
}

it('payroll-documents-to-folder.json uploads the file of a new document with its name and type, byte for byte', async () => {
	const body = randomBytes(3_000_000);
	const headers = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="W-2 2025.png"' };
	const files = await uploadedDocuments({ body, headers });
	expect(files).toMatchObject([{ name: 'W-2 2025.png', mimeType: 'image/png', folder: 'the-folder' }]);
	// Jest compares bytes one by one, for a minute.
	expect(files[0]?.bytes.equals(body)).toBe(true);
}, 60_000);

it('payroll-documents-to-folder.json downloads again when Argyle does not have the document yet', async () => {
	argyle.addFault({ kind: 'status', status: 404, method: 'GET', path: /^\/v2\/payroll-documents\// });
	const body = Buffer.from('%PDF-1.7 late');
	expect(await uploadedDocuments({ body })).toMatchObject([{ mimeType: 'application/pdf', bytes: body }]);
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
	const looking = await runByHand(client, imported, 'Start by Hand');
	expect(looking.status).toBe('success');
	expect(looking.output['Stale Ones']?.map(({ json }) => json.id).sort()).toEqual([...stale].sort());

	const assignments = [{ id: 'a', name: 'addresses', value: 'https://busy.example.com, ', type: 'string' }];
	const gone = await importWorkflow('remove-stale-subscriptions.json', {
		'Addresses That Are Gone': { parameters: { assignments: { assignments }, options: {} } },
	});
	const listed = (await runByHand(client, gone, 'Start by Hand')).output['Stale Ones'];
	expect(listed?.map(({ json }) => json.id).sort()).toEqual([...stale, busy].sort());
	expect([...argyle.subscriptions.keys()]).toEqual(before);

	const activated = await importWorkflow('remove-stale-subscriptions.json', {
		Delete: { disabled: false },
	});
	const deleting = await runByHand(client, activated, 'Start by Hand');
	expect(deleting.status).toBe('success');
	expect([...argyle.subscriptions.keys()]).toEqual(before.filter((id) => !stale.includes(id)));

	await client.unpublish(own.id);
	argyle.subscriptions.clear();
}, 120_000);

it('remove-stale-subscriptions.json can only be started by hand', async () => {
	const workflow = await importWorkflow('remove-stale-subscriptions.json');
	await expect(client.publish(workflow)).rejects.toThrow(/trigger/i);
}, 60_000);

it('run-forms-again.json runs each form of the last week through another workflow, as the trigger gives it', async () => {
	const started = { ...n8nNode('Started', 'executeWorkflowTrigger', { inputSource: 'passthrough' }), typeVersion: 1.1 };
	const after = n8nNode('After', 'noOp');
	const formTrigger = argyleTrigger(credentials.argyleApi);
	const target = await client.createWorkflow('To run again', [formTrigger, started, after], {
		[formTrigger.name]: inARow([formTrigger, after])[formTrigger.name],
		Started: inARow([started, after]).Started,
	});
	await client.publish(target);
	const { form } = await argyle.submitForm({ incomeSource: 'Corner Bakery' });
	const [first] = await client.waitForExecutions(target.id, 1);
	const original = (await client.execution(first?.id ?? '')).output.After?.[0]?.json;
	const lastMonth = argyle.storeForm({ createdAt: daysAgo(30) });

	const imported = await importWorkflow('run-forms-again.json', {
		'Run the Workflow': { parameters: { workflowId: { __rl: true, mode: 'id', value: target.id } } },
	});
	const { status, error } = await runByHand(client, imported, 'Start by Hand');
	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	const again = (await client.waitForExecutions(target.id, 2)).slice(0, -1);
	const outputs = await Promise.all(again.map(async ({ id }) => (await client.execution(id)).output.After?.[0]?.json));
	const forms = outputs.map((json) => isJson(json?.userForm) && json.userForm.id);
	expect(forms).not.toContain(lastMonth.form.id);
	const name = 'n8n – Argyle: run the forms of the last week again';
	expect(outputs[forms.indexOf(form.id)]).toEqual({ ...original, name });
	await client.unpublish(target.id);
}, 90_000);

it('tell-me-when-it-breaks.json e-mails what happened, what to do, and where to look', async () => {
	const telling = await importWorkflow('tell-me-when-it-breaks.json');
	await client.publish(telling);
	const nodes = [
		argyleTrigger(credentials.argyleApi),
		generateReceipt(credentials.argyleApi, '={{ $json.data.user }}'),
	];
	const watched = await client.createWorkflow('Form to receipt', nodes, inARow(nodes));
	const workflow = await client.setErrorWorkflow(watched, telling.id);
	argyle.addFault({ kind: 'status', status: 403, method: 'POST', path: '/v2/receipts' });
	const { id } = await runPublished(client, workflow, async () => await argyle.submitForm());
	await client.waitForExecutions(telling.id, 1);
	const [text] = onlyMail();
	// In long lines a mail has soft breaks (quoted-printable).
	const lines = String(text?.bytes).replaceAll('=\r\n', '').split('\r\n');
	expect(lines[0]).toBe('What happened: Argyle refused the request [item 0]');
	expect(lines[1]).toMatch(/^What to do: The API key may not do this\. Ask the owner/);
	expect(lines[2]).toBe('Step: Generate Receipt');
	expect(lines[3]).toBe(`Execution: ${client.origin}/workflow/${workflow.id}/executions/${id}`);
	await client.unpublish(telling.id);
}, 90_000);

/** Makes a subscription by hand, without a secret. */
async function createSubscription(url: string): Promise<StoredWorkflow> {
	const events = ['user_forms.submitted'];
	const create = { resource: 'webhook', operation: 'create', name: 'My own', url, events };
	const nodes = [n8nNode('Start', 'manualTrigger'), argyleNode(credentials.argyleApi, create)];
	const workflow = await client.createWorkflow('Create', nodes, inARow(nodes));
	expect(await runByHand(client, workflow, 'Start')).toMatchObject({ status: 'success' });
	return workflow;
}

it('verify-deliveries.json separates genuine deliveries from forged ones, with a secret that is in no workflow', async () => {
	const url = `${client.origin}/webhook/argyle-deliveries`;
	const workflow = await importWorkflow('verify-deliveries.json');
	await client.publish(workflow);
	const creating = await createSubscription(url);
	const [{ secret = '' } = {}] = argyle.subscriptions.values();
	expect(secret).toMatch(/^[0-9a-f]{64}$/);

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
	for (const { id } of [workflow, creating])
		expect(JSON.stringify(await client.call('GET', `/workflows/${id}`))).not.toContain(secret);
	await client.unpublish(workflow.id);
	argyle.subscriptions.clear();
}, 120_000);

it('form-to-new-invite.json invites again when Argyle supports the employer, and asks for documents otherwise', async () => {
	const [person] = argyle.users.values();
	if (person === undefined) throw new Error('there is no user');
	const { id, first_name, last_name, email } = person;
	const invited = argyle.person(inviteAtArgyle(argyle, id, { first_name, last_name, email }).id);
	invited.open();
	const workflow = await importWorkflow('form-to-new-invite.json');
	await client.publish(workflow);
	const before = argyle.invites.size;
	const submit = async (incomeSource: string, count: number) => {
		await invited.submitForm(incomeSource);
		const [latest] = await client.waitForExecutions(workflow.id, count);
		return await client.execution(latest?.id ?? '');
	};
	expect(await submit('whole goods', 1)).toMatchObject({ status: 'success' });
	const invite = [...argyle.invites.values()].at(-1);
	expect(argyle.invites.size).toBe(before + 1);
	expect(invite).toMatchObject({ email: 'bob.jones@example.com', flow_items: ['item_000001422'] });
	expect(argyle.users.get(String(invite?.user))).toMatchObject({ external_id: 'crm-1001' });
	expect(mailbox.mails).toEqual([]);
	// The search finds one that is only alike, then none.
	for (const [incomeSource, found, count] of [
		['Whole Goods Corner', 'Whole Goods', 2],
		['Zebra Zeppelins', undefined, 3],
	] as const) {
		const { status, output } = await submit(incomeSource, count);
		expect([status, output['Find Employer']?.[0]?.json.name]).toEqual(['success', found]);
		expect(argyle.invites.size).toBe(before + 1);
		expect(mailbox.mails).toHaveLength(count - 1);
	}
	await client.unpublish(workflow.id);
	expect(mailbox.mails.map(({ to }) => to)).toEqual([['bob.jones@example.com'], ['bob.jones@example.com']]);
	expect(await argyle.person(String(invite?.id)).connect()).toBeDefined();
}, 120_000);

it('report-to-folder.json has a report generated once, and puts its file into a folder when it is there', async () => {
	google.files.clear();
	const [account] = argyle.accounts.values();
	const user = String(account?.user);
	const reports = argyle.records.of('reports');
	const before = new Set(reports.keys());
	const workflow = await importWorkflow('report-to-folder.json', {
		'Put Into Folder': { parameters: { folderId: chosen('the-folder') } },
	});
	await client.publish(workflow);
	for (const count of [1, 2]) {
		await argyle.deliver('reports.ready', { user });
		await client.waitForExecutions(workflow.id, count);
	}
	const made = [...reports.values()].filter(({ id }) => !before.has(id));
	expect(made).toMatchObject([{ user, type: 'voie', status: 'generating' }]);
	argyle.completeReport(String(made[0]?.id));
	const executions = await client.waitForExecutions(workflow.id, 3);
	await client.unpublish(workflow.id);
	expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	expect([...google.files.values()]).toMatchObject([{ mimeType: 'application/pdf', folder: 'the-folder' }]);
	const downloads = argyle.requests.filter(({ path }) => path === `/v2/reports/${made[0]?.id}/pdf`);
	expect(downloads).toHaveLength(1);
}, 120_000);

/** Fills in the form of a published example, as its team does; resolves with the status of the answer. */
async function requestErasure(webhookId: string, externalId: string): Promise<number> {
	const body = new FormData();
	body.set('field-0', externalId);
	const headers = { Authorization: `Basic ${btoa('team:secret')}` };
	return (await fetch(`${client.origin}/form/${webhookId}`, { method: 'POST', headers, body })).status;
}

it('erase-on-request.json keeps the receipt, then erases the person and tells them; anybody else is left alone', async () => {
	google.files.clear();
	const [person] = argyle.users.values();
	if (person === undefined) throw new Error('there is no user');
	const receipt = await argyle.receiptPdf(person.id);
	const webhookId = randomUUID();
	const workflow = await importWorkflow('erase-on-request.json', { Request: { webhookId } });
	await client.publish(workflow);
	expect((await fetch(`${client.origin}/form/${webhookId}`)).status).toBe(401);
	const others = argyle.users.size;
	await requestErasure(webhookId, 'crm-none');
	const [refused] = await client.waitForExecutions(workflow.id, 1);
	expect(refused?.status).toBe('error');
	expect(argyle.users.size).toBe(others);
	for (const user of [...argyle.users.values()])
		if (user !== person && user.external_id === 'crm-1001') argyle.users.delete(user.id);
	await requestErasure(webhookId, 'crm-1001');
	const [erased] = await client.waitForExecutions(workflow.id, 2);
	await client.unpublish(workflow.id);
	expect(erased?.status).toBe('success');
	expect([...google.files.values()]).toMatchObject([{ name: 'receipt-crm-1001.pdf', bytes: receipt }]);
	expect(argyle.users.has(person.id)).toBe(false);
	expect(mailbox.mails).toMatchObject([{ to: ['bob.jones@example.com'] }]);
	argyle.users.set(person.id, person);
}, 120_000);

agentTests(() => ({ client, argyle, credential: credentials.argyleApi }));

it('no example holds a key or a secret in what n8n exports of it, after all of them ran', async () => {
	const workflows = await client.workflows({});
	expect(workflows.length).toBeGreaterThanOrEqual(readdirSync(join(root, 'examples')).length - 1);
	for (const { id, name } of workflows) {
		const answer = JSON.stringify(await client.call('GET', `/workflows/${id}`));
		expect([name, answer.includes(argyle.key.secret)]).toEqual([name, false]);
		// Every derived secret looks like this, and n8n's own checksum of the workflow.
		expect([name, answer.match(/.{0,13}[\da-f]{64}/g)]).toEqual([name, [expect.stringMatching(/^,"checksum":"/)]]);
	}
});
