import type { Json } from '../support/json.mts';
import { partsOf } from '../support/mailbox.mts';
import { runByHand, runPublished } from '../support/n8n/example.mts';
import { unzip } from '../support/unzip.mts';
import { type ExampleFixture, textOf, userWith } from './exampleFixture.mts';

export function emailExampleTests(fixture: () => ExampleFixture): void {
	it('form-to-notification.json e-mails the content of the submitted form, and nothing of its sample', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('form-to-notification.json');
		const { status } = await runPublished(client, workflow, async () => {
			await argyle.submitForm({ incomeSource: 'Corner Bakery', payrollProvider: 'Paper checks' });
		});
		expect(status).toBe('success');
		const [text] = onlyMail();
		const lines = ['Person: Bob Jones, bob.jones@example.com, crm-1001', 'Income source: Corner Bakery'];
		expect(textOf(text)).toContain([...lines, 'Payroll provider: Paper checks'].join('\r\n'));
	});

	it('form-to-notification.json names a person without a name by external ID, and one that is not found by ID', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		const { id: nameless } = userWith(argyle, 'crm-1002');
		// Whom the trigger has not asked for before: it remembers a user for five minutes.
		const joe = [...argyle.users.values()].find(({ first_name: name }) => name === 'Joe')?.id ?? '';
		const workflow = await importWorkflow('form-to-notification.json');
		await client.publish(workflow);
		await argyle.submitForm({ user: nameless });
		await client.waitForExecutions(workflow.id, 1);
		argyle.addFault({ kind: 'status', status: 404, method: 'GET', path: /^\/v2\/users\//, times: Infinity });
		await argyle.submitForm({ user: joe });
		const executions = await client.waitForExecutions(workflow.id, 2);
		await client.unpublish(workflow.id);
		argyle.clearFaults();
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		const texts = mailbox.mails.flatMap(partsOf).map(textOf);
		expect(texts[0]).toContain('Person: crm-1002\r\n');
		expect(texts[1]).toContain(`Person: user ${joe}\r\n`);
		expect(texts[1]).toContain('Argyle could not find the user');
	});

	it('form-to-notification.json e-mails its sample when it is executed by hand, with no subscription', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('form-to-notification.json');
		const { status } = await runByHand(client, workflow, 'Form Submitted');
		expect(status).toBe('success');
		const [text] = onlyMail();
		expect(textOf(text)).toContain('Person: Sam Sample, ');
		expect(textOf(text)).toContain('Income source: Sample Bakery\r\nPayroll provider: Sample Payroll');
		expect(argyle.subscriptions.size).toBe(0);
	});

	it('form-to-notification.json e-mails the reason when the form no longer exists', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('form-to-notification.json');
		argyle.addFault({ kind: 'status', status: 404, method: 'GET', path: /^\/v2\/user-forms\//, times: Infinity });
		const { status } = await runPublished(client, workflow, async () => await argyle.submitForm());
		argyle.clearFaults();
		expect(status).toBe('success');
		const [text] = onlyMail();
		expect(textOf(text)).toContain('Income source: not known');
		expect(textOf(text)).toContain('Argyle could not find the user form');
	});

	it("form-to-receipt-by-email.json e-mails that user's receipt, byte for byte", async () => {
		const { client, argyle, mailbox, importWorkflow, onlyMail } = fixture();
		const [, user = ''] = argyle.users.keys();
		const workflow = await importWorkflow('form-to-receipt-by-email.json');
		const { status } = await runPublished(client, workflow, async () => await argyle.submitForm({ user }));
		expect(status).toBe('success');
		expect(mailbox.mails[0]?.source).toContain('Subject: Argyle receipt of crm-1002\r\n');
		const [, attachment] = onlyMail();
		expect(attachment?.fileName).toMatch(`receipt-${user}-`);
		expect(attachment?.bytes).toEqual(await argyle.receiptPdf(user));
	});

	it('monthly-receipts.json e-mails an archive with the other receipts when one is refused, and fails with the name that is missing', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('monthly-receipts.json');
		const [first = '', refused = '', last = ''] = argyle.users.keys();
		const isRefused = ({ user }: Json) => user === refused;
		argyle.addFault({ kind: 'status', status: 404, method: 'POST', path: '/v2/receipts', matches: isRefused });
		const { status, error } = await runByHand(client, workflow, 'Every Month');
		expect(status).toBe('error');
		expect(error).toMatch(/^1 of 3 receipts could not be made: crm-1002: Argyle could not find the user /);
		const [text, archive] = onlyMail();
		const said = textOf(text);
		expect(said).toMatch(/^2 of 3 receipts are attached\. The failed execution in n8n names those that are missing/);
		expect(archive?.fileName).toMatch(/^argyle-receipts-\d{4}-\d\d\.zip$/);
		const files = unzip(archive?.bytes ?? Buffer.alloc(0));
		expect(files.size).toBe(2);
		for (const user of [first, last]) {
			const name = [...files.keys()].find((file) => file.startsWith(`receipt-${user}-`));
			expect(files.get(name ?? '')).toEqual(await argyle.receiptPdf(user));
		}
	});
}
