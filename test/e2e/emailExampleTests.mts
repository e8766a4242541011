import { runByHand, runPublished } from '../support/n8n/example.mts';
import { unzip } from '../support/unzip.mts';
import type { ExampleFixture } from './exampleFixture.mts';

/** The examples whose result is an e-mail. */
export function emailExampleTests(fixture: () => ExampleFixture): void {
	it('form-to-notification.json e-mails the content of the submitted form, and nothing of its sample', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('form-to-notification.json');
		const { status } = await runPublished(client, workflow, async () => {
			await argyle.submitForm({ incomeSource: 'Corner Bakery', payrollProvider: 'Paper checks' });
		});
		expect(status).toBe('success');
		const [text] = onlyMail();
		expect(String(text?.bytes)).toContain('Income source: Corner Bakery\r\nPayroll provider: Paper checks');
	}, 60_000);

	it('form-to-notification.json e-mails its sample when it is executed by hand, with no subscription', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('form-to-notification.json');
		const { status } = await runByHand(client, workflow, 'Form Submitted');
		expect(status).toBe('success');
		const [text] = onlyMail();
		expect(String(text?.bytes)).toContain('Income source: Sample Bakery\r\nPayroll provider: Sample Payroll');
		expect(argyle.subscriptions.size).toBe(0);
	}, 60_000);

	it('form-to-notification.json e-mails the reason when the form no longer exists', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
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
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const [, user = ''] = argyle.users.keys();
		const workflow = await importWorkflow('form-to-receipt-by-email.json');
		const { status } = await runPublished(client, workflow, async () => await argyle.submitForm({ user }));
		expect(status).toBe('success');
		const [, attachment] = onlyMail();
		expect(attachment?.fileName).toBe(`receipt-${user}.pdf`);
		expect(attachment?.bytes).toEqual(await argyle.receiptPdf(user));
	}, 60_000);

	it('monthly-receipts.json e-mails one archive with the receipts of all users', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
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
		const { client, argyle, mailbox, importWorkflow } = fixture();
		const workflow = await importWorkflow('monthly-receipts.json');
		argyle.addFault({ kind: 'status', status: 404, method: 'POST', path: '/v2/receipts' });
		const { status, error } = await runByHand(client, workflow, 'Every Month');
		expect({ status, error }).toMatchObject({
			status: 'error',
			error: expect.stringMatching(/^Argyle could not find the user [0-9a-f-]{36} \[item \d\]$/),
		});
		expect(mailbox.mails).toEqual([]);
	}, 60_000);
}
