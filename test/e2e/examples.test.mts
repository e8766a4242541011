import { argyleTrigger } from '../support/n8n/nodes.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import type { StoredWorkflow } from '../support/n8n/client.mts';
import { until } from '../support/n8n/until.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { importExample, readExamples } from '../support/n8n/example.mts';
import { type Mailbox, openMailbox, type Part, partsOf } from '../support/mailbox.mts';
import { startE2eFixture, type E2eFixture } from '../support/n8n/stage.mts';
import { unzip } from '../support/unzip.mts';

const DAY_MS = 86_400_000;

let stage: E2eFixture;
let mailbox: Mailbox;
let smtp: { id: string; name: string };

beforeAll(async () => {
	mailbox = await openMailbox();
	stage = await startE2eFixture({ retryAfterMs: 500 });
	const server = {
		host: '127.0.0.1',
		port: mailbox.port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	};
	smtp = await stage.client.createCredential('Mail', 'smtp', server);
}, 180_000);
afterAll(async () => {
	await stage.stop();
	mailbox.stop();
});
afterEach(() => {
	mailbox.mails.length = 0;
});

/** Publishes, does what starts the workflow once, and gives the execution that came of it; the workflow is unpublished then. */
async function whenPublished(workflow: StoredWorkflow, start: () => Promise<unknown>): Promise<FullExecution> {
	await stage.client.publish(workflow);
	await start();
	const [listed] = await stage.client.waitForExecutions(workflow.id, 1);
	await stage.client.unpublish(workflow.id);
	return await stage.client.execution(listed?.id ?? '');
}

async function runByHand({ id }: StoredWorkflow, startNode: string): Promise<FullExecution> {
	const execution = await stage.client.run(id, startNode);
	return await until('the execution has ended', 30_000, async () => {
		const seen = await stage.client.execution(execution ?? '');
		return ['new', 'running'].includes(seen.status) ? undefined : seen;
	});
}

/** The parts of the one mail that came. */
function onlyMail(): Part[] {
	expect(mailbox.mails).toMatchObject([{ from: 'n8n@example.com', to: ['team@example.com'] }]);
	return mailbox.mails.flatMap(partsOf);
}

describe.each(readExamples())('$file', ({ name, nodes, pinData }) => {
	it('names no credential, holds no data, and has one note of three to six sentences', () => {
		expect(name).toMatch(/^Argyle: /);
		expect(pinData).toEqual({});
		expect(nodes.filter((node) => 'credentials' in node || 'webhookId' in node)).toEqual([]);
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes).toHaveLength(1);
		const sentences = JSON.stringify(notes).match(/\.(?=[ \\"])/g) ?? [];
		expect(sentences.length).toBeGreaterThanOrEqual(3);
		expect(sentences.length).toBeLessThanOrEqual(6);
	});
});

describe('form-to-notification.json', () => {
	it('e-mails what the person wrote', async () => {
		const workflow = await importExample(stage, 'form-to-notification.json', smtp);
		const { status } = await whenPublished(workflow, async () => {
			await stage.service.submitForm({ incomeSource: 'Corner Bakery', payrollProvider: 'Paper checks' });
		});
		expect(status).toBe('success');
		const [text] = onlyMail();
		expect(String(text?.bytes)).toContain('Income source: Corner Bakery\r\nPayroll provider: Paper checks');
	}, 60_000);

	it('e-mails all the same, and says why, when the form is gone', async () => {
		const workflow = await importExample(stage, 'form-to-notification.json', smtp);
		stage.service.addFault({ kind: 'status', status: 404, method: 'GET', path: /^\/v2\/user-forms\// });
		const { status } = await whenPublished(workflow, async () => await stage.service.submitForm());
		expect(status).toBe('success');
		const [text] = onlyMail();
		expect(String(text?.bytes)).toContain('Income source: not known');
		expect(String(text?.bytes)).toContain('Argyle could not find the user form');
	}, 60_000);
});

describe('form-to-receipt-by-email.json', () => {
	it("e-mails that user's receipt, byte for byte", async () => {
		const [, user = ''] = stage.service.users.keys();
		const workflow = await importExample(stage, 'form-to-receipt-by-email.json', smtp);
		const { status } = await whenPublished(workflow, async () => await stage.service.submitForm({ user }));
		expect(status).toBe('success');
		const [, attachment] = onlyMail();
		expect(attachment?.fileName).toBe(`receipt-${user}.pdf`);
		expect(attachment?.bytes).toEqual(await stage.service.receiptPdf(user));
	}, 60_000);
});

describe('monthly-receipts.json', () => {
	it('e-mails one archive with the receipt of every user', async () => {
		const workflow = await importExample(stage, 'monthly-receipts.json', smtp);
		const { status } = await runByHand(workflow, 'Every Month');
		expect(status).toBe('success');
		const [text, archive] = onlyMail();
		expect(String(text?.bytes)).toBe('3 receipts are attached.');
		expect(archive?.fileName).toMatch(/^argyle-receipts-\d{4}-\d\d\.zip$/);
		const files = unzip(archive?.bytes ?? Buffer.alloc(0));
		expect(files.size).toBe(stage.service.users.size);
		for (const user of stage.service.users.keys())
			expect(files.get(`receipt-${user}.pdf`)).toEqual(await stage.service.receiptPdf(user));
	}, 60_000);

	it('stops and names the user whose receipt could not be made; no archive with a gap is sent', async () => {
		const workflow = await importExample(stage, 'monthly-receipts.json', smtp);
		stage.service.addFault({ kind: 'status', status: 404, method: 'POST', path: '/v2/receipts' });
		const { status, error } = await runByHand(workflow, 'Every Month');
		expect({ status, error }).toMatchObject({
			status: 'error',
			error: expect.stringMatching(/^Argyle could not find the user [0-9a-f-]{36} \[item \d\]$/),
		});
		expect(mailbox.mails).toEqual([]);
	}, 60_000);
});

describe('remove-stale-subscriptions.json', () => {
	/** A subscription to an address, made and last used so many days ago. */
	function subscription(url: string, madeDaysAgo: number, sentDaysAgo?: number): string {
		const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
		const made = newSubscription({ name: url, url, events: ['*'] });
		made.created_at = ago(madeDaysAgo);
		made.last_sent_at = sentDaysAgo === undefined ? null : ago(sentDaysAgo);
		stage.service.subscriptions.set(made.id, made);
		return made.id;
	}

	it('deletes only what is old, unused and elsewhere, and nothing before a person has activated Delete', async () => {
		const { client, service, n8n } = stage;
		const trigger = argyleTrigger(stage.credential);
		const own = await client.createWorkflow('Own trigger', [trigger], {});
		await client.publish(own);
		for (const made of service.subscriptions.values()) made.created_at = '2020-01-01T00:00:00Z';
		const stale = [
			subscription('https://old.example.com/argyle', 200),
			subscription('https://www.old.example.com', 300, 91),
		];
		subscription('https://new.example.com/argyle', 89);
		subscription('https://busy.example.com/argyle', 500, 1);
		subscription(`${n8n.origin}/webhook/argyle-deliveries`, 500, 400);
		const before = [...service.subscriptions.keys()];
		expect(before).toHaveLength(6);

		const looking = await runByHand(
			await importExample(stage, 'remove-stale-subscriptions.json', smtp),
			'Start by Hand',
		);
		expect(looking.status).toBe('success');
		expect(looking.output['Stale Ones']?.map(({ json }) => json.id).sort()).toEqual([...stale].sort());
		expect([...service.subscriptions.keys()]).toEqual(before);

		const activated = await importExample(stage, 'remove-stale-subscriptions.json', smtp, {
			Delete: { disabled: false },
		});
		const deleting = await runByHand(activated, 'Start by Hand');
		expect(deleting.status).toBe('success');
		expect([...service.subscriptions.keys()]).toEqual(before.filter((id) => !stale.includes(id)));

		await client.unpublish(own.id);
		service.subscriptions.clear();
	}, 120_000);

	it('can do nothing by itself: it can only be started by hand', async () => {
		const workflow = await importExample(stage, 'remove-stale-subscriptions.json', smtp);
		await expect(stage.client.publish(workflow)).rejects.toThrow(/trigger/i);
	}, 60_000);
});

describe('verify-deliveries.json', () => {
	it('sends a genuine delivery to one branch and a forged one to the other', async () => {
		const { client, service, n8n } = stage;
		const secret = 'what the subscription was created with';
		const url = `${n8n.origin}/webhook/argyle-deliveries`;
		const made = newSubscription({ name: 'My own', url, events: ['user_forms.submitted'], secret });
		service.subscriptions.set(made.id, made);
		const workflow = await importExample(stage, 'verify-deliveries.json', smtp, {
			'Verify Delivery': { parameters: { secret } },
		});
		await client.publish(workflow);

		const { form, attempts } = await service.submitForm();
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
		service.subscriptions.clear();
	}, 120_000);
});
