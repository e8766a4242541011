import { type FakeModel, type Reply, startFakeModel } from '../support/fakeModel.mts';
import { partsOf } from '../support/mailbox.mts';
import { importExample } from '../support/n8n/example.mts';
import type { ExampleFixture } from './exampleFixture.mts';

const QUESTION = "Which forms has Bob Jones submitted? E-mail Bob's receipt.";

const aboutUser = (user: string): Reply => [
	{ name: 'List_Forms', input: { User: user } },
	{ name: 'E-Mail_Receipt', input: { user } },
];

/** As a model would: it tries the name first, then what the tools advise. */
function decide(texts: string[]): Reply {
	const [text = ''] = texts;
	if (text === QUESTION) return aboutUser('Bob Jones');
	if (texts.every((each) => each.includes('Get Many shows the IDs that exist'))) {
		return [{ name: 'Find_Users', input: {} }];
	}
	const bob = /"id":"([0-9a-f-]{36})"[^{}]*"first_name":"Bob"/.exec(text)?.[1];
	return bob === undefined ? texts.join('\n') : aboutUser(bob);
}

export function agentTests(fixture: () => ExampleFixture): void {
	let model: FakeModel;

	beforeAll(async () => {
		model = await startFakeModel(decide);
	});
	afterAll(() => model.stop());
	afterEach(() => {
		model.requests.length = 0;
	});

	/** What the agent answers to the question, and the user that it is about. */
	async function ask(): Promise<{ answer: string; user: string; form: string }> {
		const { client, argyle, credentials } = fixture();
		const openAiApi = await client.createCredential('Model', 'openAiApi', model.credentialData);
		const workflow = await importExample(client, { ...credentials, openAiApi }, 'chat-to-agent.json', {
			Chat: { parameters: { public: true }, webhookId: 'chat-to-agent' },
		});
		const user = [...argyle.users.values()].find(({ first_name: name }) => name === 'Bob')?.id ?? '';
		const { form } = await argyle.submitForm({ user, incomeSource: 'Corner Bakery' });

		await client.publish(workflow);
		const response = await fetch(`${client.origin}/webhook/chat-to-agent/chat`, {
			method: 'POST',
			body: JSON.stringify({ action: 'sendMessage', sessionId: 'test', chatInput: QUESTION }),
			headers: { 'Content-Type': 'application/json' },
		});
		const answer = await response.text();
		await client.unpublish(workflow.id);
		return { answer, user, form: form.id };
	}

	it('chat-to-agent.json finds a user by name, lists their forms and e-mails their receipt, following the errors of its tools', async () => {
		const { argyle, mailbox } = fixture();
		const { answer, user, form } = await ask();
		expect(answer).toContain(form);
		expect(answer).toContain('Corner Bakery');
		expect(answer).toContain('The receipt was e-mailed: ');
		expect(model.requests).toHaveLength(4);
		expect(mailbox.mails[0]?.source).toContain(
			'Subject: Argyle receipt of Bob Jones, bob.jones@example.com, crm-1001\r\n',
		);
		const [attachment] = mailbox.mails.flatMap(partsOf).filter(({ fileName }) => fileName !== undefined);
		expect(attachment?.bytes).toEqual(await argyle.receiptPdf(user));
		const ssn = String(argyle.users.get(user)?.ssn);
		const seen = JSON.stringify(model.requests);
		expect(seen).toContain('Jones');
		for (const hidden of [ssn, 'ssn', 'birth_date']) expect(seen).not.toContain(hidden);
	});

	it('chat-to-agent.json says in the chat that a refused receipt was not sent, and why', async () => {
		const { argyle, mailbox } = fixture();
		argyle.addFault({ kind: 'status', status: 403, method: 'POST', path: '/v2/receipts' });
		const { answer } = await ask();
		expect(answer).toContain('The receipt was not sent. Argyle refused the request');
		expect(mailbox.mails).toEqual([]);
	});
}
