import { randomBytes, randomUUID } from 'node:crypto';
import type { ServedFile } from '../support/fakeArgyle/index.mts';
import type { DriveFile } from '../support/fakeGoogle.mts';
import { runByHand, runPublished } from '../support/n8n/example.mts';
import { chosen, type ExampleFixture, fillInForm, userWith } from './exampleFixture.mts';

/** Delivers that a document with this file was added, and returns the files in Google Drive. */
async function uploadedDocuments(
	{ client, argyle, google, importWorkflow }: ExampleFixture,
	served: ServedFile,
): Promise<DriveFile[]> {
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

export function folderExampleTests(fixture: () => ExampleFixture): void {
	it('payroll-documents-to-folder.json uploads the file of a new document with its name and type, byte for byte', async () => {
		const body = randomBytes(3_000_000);
		const headers = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="W-2 2025.png"' };
		const files = await uploadedDocuments(fixture(), { body, headers });
		const name = expect.stringMatching(/^W-2 2025-[\w-]+\.png$/);
		expect(files).toMatchObject([{ name, mimeType: 'image/png', folder: 'the-folder' }]);
		// Jest compares bytes one by one, for a minute.
		expect(files[0]?.bytes.equals(body)).toBe(true);
	});

	it('payroll-documents-to-folder.json downloads again when Argyle does not have the document yet', async () => {
		const { argyle } = fixture();
		argyle.addFault({ kind: 'status', status: 404, method: 'GET', path: /^\/v2\/payroll-documents\// });
		const body = Buffer.from('%PDF-1.7 late');
		expect(await uploadedDocuments(fixture(), { body })).toMatchObject([{ mimeType: 'application/pdf', bytes: body }]);
	});

	it('report-to-folder.json has a report generated once, and puts its file into a folder when it is there', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
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
	});

	it('report-to-folder.json puts the file of each report into the folder when several are told in one execution', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		google.files.clear();
		const users = [...argyle.users.keys()].slice(0, 2);
		argyle.records.of('reports').clear();
		const reports = users.flatMap((user, index) =>
			argyle.records.add('reports', 2, { user, account: randomUUID() }, { type: index === 0 ? 'voie' : 'voe' }),
		);
		for (const { id } of reports) argyle.completeReport(id);
		const events = users.map((user, index) => ({
			json: { event: 'reports.generated', data: { user, type: index === 0 ? 'voie' : 'voe' } },
		}));
		const workflow = await importWorkflow('report-to-folder.json', {}, { 'Report Generated': events });
		expect(await runByHand(client, workflow, 'Report Generated')).toMatchObject({ status: 'success' });
		expect(google.files.size).toBe(2);
	});

	it('report-to-folder.json fails for a report that Argyle could not make, and puts no older one into the folder', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		google.files.clear();
		const [user = ''] = argyle.users.keys();
		const [report] = argyle.addRecords('reports', 1, { user, type: 'voie' });
		argyle.completeReport(String(report?.id));
		const event = { event: 'reports.generated', data: { user, type: 'voie', status: 'failed' } };
		const workflow = await importWorkflow('report-to-folder.json', {}, { 'Report Generated': [{ json: event }] });
		const { error } = await runByHand(client, workflow, 'Report Generated');
		expect(error).toBe(`Argyle could not make a report of the user ${user} (voie)`);
		expect(google.files.size).toBe(0);
	});

	it('report-to-folder.json fails for a report that Argyle does not show', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const [user = ''] = argyle.users.keys();
		argyle.records.of('reports').clear();
		const workflow = await importWorkflow('report-to-folder.json', { 'Download Report': { waitBetweenTries: 0 } });
		const { error } = await runPublished(client, workflow, async () => {
			await argyle.deliver('reports.generated', { user, type: 'voie' });
		});
		expect(error).toBe(
			`Argyle says that it has made a report, but shows no finished report of the user ${user} (voie)`,
		);
	});

	it('erase-on-request.json keeps the receipt, then erases the person and tells them; anybody else is left alone', async () => {
		const { client, argyle, mailbox, google, importWorkflow } = fixture();
		google.files.clear();
		const person = userWith(argyle, 'crm-1001');
		const receipt = await argyle.receiptPdf(person.id);
		const webhookId = randomUUID();
		const workflow = await importWorkflow('erase-on-request.json', { Request: { webhookId } });
		await client.publish(workflow);
		expect((await fetch(`${client.origin}/form/${webhookId}`)).status).toBe(401);
		const others = argyle.users.size;
		await fillInForm(client, webhookId, ['crm-none']);
		const [refused] = await client.waitForExecutions(workflow.id, 1);
		expect(refused?.status).toBe('error');
		expect(argyle.users.size).toBe(others);
		for (const user of [...argyle.users.values()])
			if (user !== person && user.external_id === 'crm-1001') argyle.users.delete(user.id);
		await fillInForm(client, webhookId, ['crm-1001']);
		const [erased] = await client.waitForExecutions(workflow.id, 2);
		await client.unpublish(workflow.id);
		expect(erased?.status).toBe('success');
		expect([...google.files.values()]).toMatchObject([{ name: 'receipt-crm-1001.pdf', bytes: receipt }]);
		expect(argyle.users.has(person.id)).toBe(false);
		expect(mailbox.mails).toMatchObject([{ to: ['bob.jones@example.com'] }]);
		argyle.users.set(person.id, person);
	});

	it('erase-on-request.json erases nobody for a blank, for a part of an ID, without a receipt, and for an ID that two have', async () => {
		const { client, argyle, mailbox, google, importWorkflow } = fixture();
		google.files.clear();
		const users = new Map(argyle.users);
		const person = userWith(argyle, 'crm-1001');
		const webhookId = randomUUID();
		const workflow = await importWorkflow('erase-on-request.json', { Request: { webhookId } });
		await client.publish(workflow);
		const { assumed } = argyle;
		argyle.assumed = { ...assumed, externalIdFilter: 'those whose ID begins with it' };
		argyle.users.clear();
		const onlyOne = () => argyle.users.set(person.id, person);
		const asked: Array<[externalId: string, error: RegExp]> = [
			[' ', /nobody has the external ID ""|External ID/],
			['crm-100', /^Nobody was erased: nobody has the external ID "crm-100"$/],
			['CRM-1001', /^Nobody was erased: nobody has the external ID "CRM-1001"$/],
		];
		onlyOne();
		for (const [index, [externalId, message]] of asked.entries()) {
			await fillInForm(client, webhookId, [externalId]);
			const [latest] = await client.waitForExecutions(workflow.id, index + 1);
			const { status, error } = await client.execution(latest?.id ?? '');
			expect([externalId, status, error]).toEqual([externalId, 'error', expect.stringMatching(message)]);
		}
		argyle.addFault({ kind: 'status', status: 403, method: 'POST', path: '/v2/receipts' });
		await fillInForm(client, webhookId, ['crm-1001']);
		const [refused] = await client.waitForExecutions(workflow.id, asked.length + 1);
		expect(refused?.status).toBe('error');
		argyle.users.set('twin', { ...person, id: 'twin' });
		await fillInForm(client, webhookId, ['crm-1001']);
		const [twins] = await client.waitForExecutions(workflow.id, asked.length + 2);
		const { error } = await client.execution(twins?.id ?? '');
		expect(error).toBe(
			`Nobody was erased: several persons have the external ID "crm-1001": Bob Jones (${person.id}), Bob Jones (twin). Look at them, and erase each with User: Delete, By ID`,
		);
		await client.unpublish(workflow.id);
		expect([argyle.users.size, google.files.size, mailbox.mails.length]).toEqual([2, 0, 0]);
		argyle.assumed = assumed;
		argyle.users.clear();
		for (const [id, user] of users) argyle.users.set(id, user);
	});

	it('erase-on-request.json says who has to be told by hand, when a person without an e-mail address was erased', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const nameless = userWith(argyle, 'crm-1002');
		const webhookId = randomUUID();
		const workflow = await importWorkflow('erase-on-request.json', { Request: { webhookId } });
		const { status, error } = await runPublished(client, workflow, async () => {
			await fillInForm(client, webhookId, [' crm-1002 ']);
		});
		expect([status, argyle.users.has(nameless.id)]).toEqual(['error', false]);
		expect(error).toMatch(/^crm-1002 was erased, but has no e-mail address at Argyle/);
		argyle.users.set(nameless.id, nameless);
	});
}
