import { storeInvite as inviteAtArgyle } from '../support/fakeArgyle/invites.mts';
import { retryExecution, runByHand, runNodes } from '../support/n8n/example.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { argyleNode } from '../support/n8n/nodes.mts';
import { daysAgo, type ExampleFixture, userWith } from './exampleFixture.mts';

/** Stores an invite that was sent some days ago, after `reminders`. */
async function storeInvite(
	{ client, argyle, credentials }: ExampleFixture,
	email: string,
	days: number,
	reminders: number,
): Promise<string> {
	const invite = argyleNode(credentials.argyleApi, {
		...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: 'Sample' },
		...{ sendBy: 'email', email, skipInvited: 'none', additionalFields: {} },
	});
	await runNodes(client, 'Invite', [invite]);
	const sent = [...argyle.invites.values()].find((each) => each.email === email);
	if (sent === undefined || !Array.isArray(sent.deliveries)) throw new Error('there is no invite');
	const [delivery] = sent.deliveries;
	sent.deliveries = Array.from({ length: reminders + 1 }, () => delivery);
	sent.invited_at = daysAgo(days);
	return sent.id;
}

/** Has a form submitted to a published workflow, which has to end well; returns its execution. */
function submitted({ client }: ExampleFixture, workflowId: string) {
	let count = 0;
	return async (submit: () => Promise<unknown>): Promise<FullExecution> => {
		await submit();
		const [latest] = await client.waitForExecutions(workflowId, ++count);
		const execution = await client.execution(latest?.id ?? '');
		expect(execution).toMatchObject({ status: 'success' });
		return execution;
	};
}

export function inviteExampleTests(fixture: () => ExampleFixture): void {
	it('remind-invites.json reminds of what nobody opened for three days, and revokes after three reminders', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const workflow = await importWorkflow('remind-invites.json');
		argyle.invites.clear();
		const fresh = await storeInvite(fixture(), 'fresh@example.com', 2, 0);
		const unopened = await storeInvite(fixture(), 'unopened@example.com', 4, 0);
		const opened = await storeInvite(fixture(), 'opened@example.com', 4, 0);
		const reminded = await storeInvite(fixture(), 'reminded@example.com', 4, 3);
		const [long, ago] = [
			await storeInvite(fixture(), 'long@example.com', 400, 0),
			await storeInvite(fixture(), 'ago@example.com', 400, 3),
		];
		for (const id of [long, ago]) Object.assign(argyle.invites.get(id) ?? {}, { created_at: daysAgo(400) });
		argyle.person(opened).open();
		argyle.messages.length = 0;
		expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
		expect(argyle.messages.map(({ to }) => to)).toEqual(['unopened@example.com']);
		const statusOf = (id: string) => argyle.invites.get(id)?.status;
		expect([fresh, unopened, opened, reminded].map(statusOf)).toEqual(['sent', 'sent', 'initiated', 'revoked']);
		expect([long, ago].map(statusOf)).toEqual(['sent', 'sent']);
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
	});

	it('remind-invites.json goes on after a refused invite, and fails with the names; the next morning it tries again', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const workflow = await importWorkflow('remind-invites.json');
		argyle.invites.clear();
		const store = async (name: string, reminders: number) =>
			await storeInvite(fixture(), `${name}@example.com`, 4, reminders);
		const invites = [await store('last', 0), await store('refused', 0), await store('first', 0)];
		const revoked = [await store('closed', 3), await store('stuck', 3), await store('gone', 3)];
		argyle.messages.length = 0;
		const paths = [`/v2/invites/${invites[1]}`, `/v2/invites/${revoked[1]}/revoke`];
		for (const path of paths) argyle.addFault({ kind: 'status', status: 400, method: 'POST', path });
		const { status, error } = await runByHand(client, workflow, 'Every Morning');
		expect(status).toBe('error');
		expect(error).toMatch(/^2 of 6 invites were not sent again or closed: Alex Sample: Argyle did not accept /);
		expect(argyle.messages.map(({ to }) => to).sort()).toEqual(['first@example.com', 'last@example.com']);
		const statuses = revoked.map((id) => argyle.invites.get(id)?.status);
		expect(statuses).toEqual(['revoked', 'sent', 'revoked']);
		expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
		expect(argyle.messages.map(({ to }) => to).at(-1)).toBe('refused@example.com');
		expect(argyle.messages).toHaveLength(3);
		expect(argyle.invites.get(revoked[1] ?? '')?.status).toBe('revoked');
	});

	it('form-to-new-invite.json sends the invite of the person again when Argyle supports the employer, and makes no second user', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		argyle.invites.clear();
		argyle.messages.length = 0;
		const { id, first_name, last_name, email } = userWith(argyle, 'crm-1001');
		const invited = argyle.person(inviteAtArgyle(argyle, id, { first_name, last_name, email }).id);
		invited.open();
		const workflow = await importWorkflow('form-to-new-invite.json');
		await client.publish(workflow);
		const users = argyle.users.size;
		const submit = submitted(fixture(), workflow.id);
		await submit(async () => await invited.submitForm('whole goods '));
		expect([argyle.invites.size, argyle.users.size]).toEqual([1, users]);
		expect(argyle.messagesTo('bob.jones@example.com')).toBe(2);
		expect(mailbox.mails).toEqual([]);
		// The search finds one that is only alike, then none.
		for (const [incomeSource, found] of [
			['Whole Goods Corner', 'Whole Goods'],
			['Zebra Zeppelins', undefined],
		] as const) {
			const { output } = await submit(async () => await invited.submitForm(incomeSource));
			expect(output['Find Employer']?.[0]?.json.name).toBe(found);
		}
		await client.unpublish(workflow.id);
		expect([argyle.invites.size, argyle.messages.length]).toEqual([1, 2]);
		expect(mailbox.mails.map(({ to }) => to)).toEqual([['bob.jones@example.com'], ['bob.jones@example.com']]);
		expect(await invited.connect()).toBeDefined();
	});

	it('form-to-new-invite.json refuses its sample in words, and writes to nobody', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		argyle.messages.length = 0;
		const workflow = await importWorkflow('form-to-new-invite.json');
		const { status, error } = await runByHand(client, workflow, 'Form Submitted');
		expect(status).toBe('error');
		expect(error).toMatch(/^User Form is the ID of a sample, which Argyle doesn't have/);
		expect([argyle.messages, mailbox.mails]).toEqual([[], []]);
	});

	it('form-to-new-invite.json invites who has no open invite to that employer, and leaves a person without a name to the team', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		const { id: nameless } = userWith(argyle, 'crm-1002');
		const joe = [...argyle.users.values()].find(({ first_name: name }) => name === 'Joe')?.id ?? '';
		const invites = () => [...argyle.invites.values()];
		argyle.invites.clear();
		const { id: revoked } = inviteAtArgyle(argyle, joe, { email: 'joe.burnam@example.com' });
		Object.assign(argyle.invites.get(revoked) ?? {}, { status: 'revoked' });
		inviteAtArgyle(argyle, joe, { email: 'joe.burnam@example.com', flow_items: ['item_000041078'] });
		const workflow = await importWorkflow('form-to-new-invite.json');
		await client.publish(workflow);
		const submit = submitted(fixture(), workflow.id);
		await submit(async () => await argyle.submitForm({ user: joe, incomeSource: 'Whole Goods' }));
		expect(invites().slice(2)).toMatchObject([{ email: 'joe.burnam@example.com', flow_items: ['item_000001422'] }]);
		for (const incomeSource of ['Whole Goods', 'Zebra Zeppelins'])
			await submit(async () => await argyle.submitForm({ user: nameless, incomeSource }));
		await client.unpublish(workflow.id);
		expect(invites()).toHaveLength(3);
		expect(mailbox.mails).toMatchObject([{ to: ['team@example.com'] }, { to: ['team@example.com'] }]);
		for (const { source } of mailbox.mails)
			expect(source.replaceAll('=\r\n', '')).toMatch(/so nobody was written to[\s\S]*Person: crm-1002/);
	});

	it('form-to-new-invite.json makes no third user when a person with a new invite submits the form again', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const joe = [...argyle.users.values()].find(({ first_name: name }) => name === 'Joe')?.id ?? '';
		argyle.invites.clear();
		inviteAtArgyle(argyle, joe, { email: 'joe.burnam@example.com', flow_items: ['item_000041078'] });
		// Somebody else with the same address, as whom the person would enter.
		const jane = { email: 'joe.burnam@example.com', first_name: 'Jane', last_name: 'Burnam' };
		inviteAtArgyle(argyle, userWith(argyle, 'crm-1001').id, jane);
		argyle.messages.length = 0;
		const workflow = await importWorkflow('form-to-new-invite.json');
		await client.publish(workflow);
		const submit = submitted(fixture(), workflow.id);
		for (const messages of [1, 2]) {
			await submit(async () => await argyle.submitForm({ user: joe, incomeSource: 'Whole Goods' }));
			expect([argyle.invites.size, argyle.messagesTo('joe.burnam@example.com')]).toEqual([3, messages]);
		}
		await client.unpublish(workflow.id);
	});

	it('form-to-new-invite.json answers each form when several come in one execution, also after a failure', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		argyle.invites.clear();
		const [bob = '', nameless] = ['crm-1001', 'crm-1002'].map((id) => userWith(argyle, id).id);
		const joe = [...argyle.users.values()].find(({ first_name: name }) => name === 'Joe')?.id;
		const { id: invite } = inviteAtArgyle(argyle, bob, { email: 'bob.jones@example.com' });
		argyle.messages.length = 0;
		const forms = [
			{ user: bob, incomeSource: 'Zebra Zeppelins' },
			{ user: bob, incomeSource: 'Whole Goods' },
			{ user: nameless, incomeSource: 'Whole Goods' },
			{ user: joe, incomeSource: 'Whole Goods' },
		];
		const events = forms.map((each) => {
			const { form, user } = argyle.storeForm(each);
			return { json: { event: 'user_forms.submitted', data: { account: form.account, user, user_form: form.id } } };
		});
		const workflow = await importWorkflow('form-to-new-invite.json', {}, { 'Form Submitted': events });
		// Bob's invite is refused, and sent by Retry, which goes on with the others.
		argyle.addFault({ kind: 'status', status: 403, method: 'POST', path: `/v2/invites/${invite}` });
		const refused = await runByHand(client, workflow, 'Form Submitted');
		expect([refused.status, mailbox.mails.length, argyle.messages.length]).toEqual(['error', 1, 0]);
		expect(await retryExecution(client, refused.id)).toMatchObject({ status: 'success' });
		expect(mailbox.mails.map(({ to }) => to)).toEqual([['bob.jones@example.com'], ['team@example.com']]);
		expect(argyle.messages.map(({ to }) => to)).toEqual(['bob.jones@example.com', 'joe.burnam@example.com']);
	});

	it('form-to-new-invite.json asks for documents when the form names no employer', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		const { id: user } = userWith(argyle, 'crm-1001');
		const workflow = await importWorkflow('form-to-new-invite.json');
		await client.publish(workflow);
		const submit = submitted(fixture(), workflow.id);
		for (const incomeSource of ['', ' ']) await submit(async () => await argyle.submitForm({ user, incomeSource }));
		await client.unpublish(workflow.id);
		expect(mailbox.mails.map(({ to }) => to)).toEqual([['bob.jones@example.com'], ['bob.jones@example.com']]);
		for (const { source } of mailbox.mails) expect(source).toContain('could not connect to your employer.');
	});
}
