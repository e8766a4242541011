import { randomUUID } from 'node:crypto';
import { storeInvite } from '../support/fakeArgyle/invites.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import type { Json } from '../support/json.mts';
import { partsOf } from '../support/mailbox.mts';
import { retryExecution, runByHand } from '../support/n8n/example.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { n8nNode } from '../support/n8n/nodes.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { chosen, daysAgo, type ExampleFixture, fillInForm, textOf, userWith } from './exampleFixture.mts';
import { addPaystubs, fillSheet, INVITE_SHEETS, resultsInSheet, SHEET } from './sheetExampleTests.mts';

/** Above the minute for which the nodes retry. */
const OUTAGE_DEADLINE_MS = 120_000;

const AWAY = /^Argyle could not be reached at /;

/** What starts an example by itself, or by hand. */
const STARTERS = {
	'sheet-to-invites.json': 'Every Morning',
	'remind-invites.json': 'Every Morning',
	'monthly-receipts.json': 'Every Month',
	'remove-stale-subscriptions.json': 'Start by Hand',
	'run-forms-again.json': 'Start by Hand',
};

/** What is started from outside. */
const PUBLISHED = [
	'erase-on-request.json',
	'form-to-notification.json',
	'form-to-receipt-by-email.json',
	'form-to-new-invite.json',
	'paystubs-to-sheet.json',
	'payroll-documents-to-folder.json',
	'report-to-folder.json',
];

const FOLDER = { 'Put Into Folder': { parameters: { folderId: chosen('the-folder') } } };

const PEOPLE = [
	['Ada', 'First', 'ada@example.com'],
	['Bo', 'Second', 'bo@example.com'],
];

interface Work {
	/** Of the workflow that an example was imported as. */
	workflowOf: (file: string) => StoredWorkflow;
	/** Of the form by which a person is erased. */
	webhookId: string;
	/** The workflow that forms are run through again. */
	target: StoredWorkflow;
	staleSubscription: string;
}

/** Imports the examples, and has something for each of them to do. */
async function prepareWork({ client, argyle, importWorkflow }: ExampleFixture): Promise<Work> {
	argyle.invites.clear();
	argyle.messages.length = 0;
	argyle.userForms.clear();
	const due = storeInvite(argyle, userWith(argyle, 'crm-1001').id, { email: 'due@example.com' });
	due.invited_at = daysAgo(4);
	const stale = newSubscription({ name: 'Old', url: 'https://old.example.com', events: ['items.removed'] });
	argyle.subscriptions.set(stale.id, { ...stale, created_at: daysAgo(200) });
	const nodes = [
		n8nNode('Started', 'executeWorkflowTrigger', { inputSource: 'passthrough' }, 1.1),
		n8nNode('After', 'noOp'),
	];
	const target = await client.publishNew('To run again', nodes);
	const webhookId = randomUUID();
	const workflowId = { __rl: true, mode: 'id', value: target.id };
	const changes = new Map<string, Record<string, Json>>(
		Object.entries<Record<string, Json>>({
			'sheet-to-invites.json': INVITE_SHEETS,
			'remove-stale-subscriptions.json': { Delete: { disabled: false } },
			'run-forms-again.json': { 'Run the Workflow': { parameters: { workflowId } } },
			'erase-on-request.json': { ...FOLDER, Request: { webhookId } },
			'paystubs-to-sheet.json': { 'Add Rows': SHEET },
			'payroll-documents-to-folder.json': FOLDER,
			'report-to-folder.json': FOLDER,
		}),
	);
	const workflows = new Map<string, StoredWorkflow>();
	for (const file of [...Object.keys(STARTERS), ...PUBLISHED])
		workflows.set(file, await importWorkflow(file, changes.get(file)));
	const workflowOf = (file: string) => {
		const workflow = workflows.get(file);
		if (workflow === undefined) throw new Error(`${file} was not imported`);
		return workflow;
	};
	return { workflowOf, webhookId, target, staleSubscription: stale.id };
}

export function outageExampleTests(fixture: () => ExampleFixture): void {
	it('in an outage of Argyle each example tells of it, and afterwards a later run makes good what was not done', async () => {
		const { client, argyle, google, mailbox } = fixture();
		const { workflowOf, webhookId, target, staleSubscription } = await prepareWork(fixture());
		const person = userWith(argyle, 'crm-1001');
		const latestOf = async (file: string, count: number): Promise<FullExecution> => {
			const [latest] = await client.waitForExecutions(workflowOf(file).id, count, OUTAGE_DEADLINE_MS);
			return await client.execution(latest?.id ?? '');
		};
		const runAllByHand = async () => {
			const runs = Object.entries(STARTERS).map(
				async ([file, start]) => await runByHand(client, workflowOf(file), start, OUTAGE_DEADLINE_MS),
			);
			return (await Promise.all(runs)).map(({ error = '' }) => error);
		};
		for (const file of PUBLISHED) await client.publish(workflowOf(file));

		await argyle.goOffline();
		fillSheet(google, PEOPLE);
		const [leftOut, ...others] = await runAllByHand();
		expect(leftOut).toMatch(
			/^2 of 2 people in the sheet are left out: Ada First, not invited, Argyle could not be reached .*; Bo Second, /,
		);
		expect(others).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(AWAY)));
		const sheet = google.rows.map((row) => [...row]);
		google.rows.length = 0;
		google.files.clear();
		await argyle.submitForm({ user: person.id, incomeSource: 'Zebra Zeppelins' });
		const [paystub] = await addPaystubs(argyle, 1);
		const [document] = argyle.addRecords('payroll-documents', 1);
		argyle.records.files.set(`/v2/payroll-documents/${document?.id}/file`, { body: Buffer.from('%PDF-1.7 W-2') });
		await argyle.deliver('payroll_documents.added', { user: person.id, payroll_document: document?.id });
		await argyle.deliver('reports.ready', { user: person.id });
		await fillInForm(client, webhookId, ['crm-1001']);
		const failed = new Map<string, string>();
		for (const file of PUBLISHED) {
			const { id, error = '' } = await latestOf(file, 1);
			failed.set(file, id);
			const expected = file === 'form-to-notification.json' ? '' : expect.stringMatching(AWAY);
			expect([file, error]).toEqual([file, expected]);
		}
		expect(mailbox.mails.map(({ to }) => to)).toEqual([['team@example.com']]);
		const [told] = mailbox.mails.flatMap(partsOf).map(textOf);
		expect(told).toContain(`At Argyle: user ${person.id}`);
		expect(told).toContain('Argyle could not be reached at ');
		expect([argyle.messages.length, google.rows.length, google.files.size]).toEqual([1, 0, 0]);
		expect(argyle.users.has(person.id)).toBe(true);

		await argyle.goOnline();
		for (const file of PUBLISHED.slice(2)) {
			const { error } = await retryExecution(client, failed.get(file) ?? '');
			expect([file, error]).toEqual([file, undefined]);
		}
		const report = [...argyle.records.of('reports').values()].at(-1);
		argyle.completeReport(report?.id ?? '');
		await latestOf('report-to-folder.json', 3);
		expect(google.rows.slice(1).map(([id]) => id)).toEqual([paystub?.id]);
		expect([...google.files.values()].map(({ mimeType }) => mimeType)).toEqual(['application/pdf', 'application/pdf']);
		// The receipt, and the request for documents.
		expect(mailbox.mails.slice(1).map(({ to }) => to)).toEqual([['team@example.com'], ['bob.jones@example.com']]);

		google.rows.splice(0, Infinity, ...sheet);
		expect(await runAllByHand()).toEqual(['', '', '', '', '']);
		expect([...resultsInSheet(google).values()].map(({ Status }) => Status)).toEqual(['invited', 'invited']);
		expect(['ada', 'bo', 'due'].map((name) => argyle.messagesTo(`${name}@example.com`))).toEqual([1, 1, 2]);
		expect(argyle.subscriptions.has(staleSubscription)).toBe(false);
		expect(await client.waitForExecutions(target.id, 1)).toMatchObject([{ status: 'success' }]);
		expect(mailbox.mails.at(-1)?.source).toContain('receipts are attached');
		await fillInForm(client, webhookId, ['crm-1001']);
		expect(await latestOf('erase-on-request.json', 2)).toMatchObject({ status: 'success' });
		expect(argyle.users.has(person.id)).toBe(false);

		for (const file of PUBLISHED) await client.unpublish(workflowOf(file).id);
		argyle.users.set(person.id, person);
		argyle.subscriptions.clear();
	}, 300_000);
}
