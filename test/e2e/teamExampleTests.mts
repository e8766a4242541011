import { randomUUID } from 'node:crypto';
import { isJson } from '../support/json.mts';
import { runByHand, runPublished } from '../support/n8n/example.mts';
import { moveVerification } from '../support/fakeArgyle/verificationSteps.mts';
import { partsOf } from '../support/mailbox.mts';
import { storeInvite } from '../support/fakeArgyle/invites.mts';
import { unzip } from '../support/unzip.mts';
import { daysAgo, type ExampleFixture, fillInForm, textOf, userWith } from './exampleFixture.mts';

/** The examples with which a team looks after all people: with n8n's own form and table, Slack, or by the calendar. */
export function teamExampleTests(fixture: () => ExampleFixture): void {
	/** Nobody is invited yet. */
	async function publishInviteForm() {
		const { client, argyle, importWorkflow } = fixture();
		argyle.invites.clear();
		argyle.messages.length = 0;
		const webhookId = randomUUID();
		const workflow = await importWorkflow('form-to-invites-in-table.json', { 'Add a Person': { webhookId } });
		await client.publish(workflow);
		return { workflow, webhookId };
	}

	it('form-to-invites-in-table.json invites who is entered into the form, keeps the status in a table, and reminds', async () => {
		const { client, argyle } = fixture();
		const { workflow, webhookId } = await publishInviteForm();
		// Ben is entered once more, with what a spreadsheet puts before a text.
		for (const [index, email] of ['ann@', 'ben@', 'cleo@', "'Ben@"].map((name) => `${name}example.com`).entries()) {
			const name = ['Ann', 'Ben', 'Cleo', 'Ben'][index] ?? '';
			await fillInForm(client, webhookId, [name, 'Sample', email, `t-${name}`]);
			expect((await client.waitForExecutions(workflow.id, index + 1))[0]?.status).toBe('success');
		}
		await client.unpublish(workflow.id);
		const [ann, ben, cleo] = [...argyle.invites.values()];
		if (ann === undefined || ben === undefined || cleo === undefined) throw new Error('nobody was invited');
		await argyle.person(ann.id).connect();
		ben.invited_at = daysAgo(4);
		argyle.invites.delete(cleo.id);
		const morning = await runByHand(client, workflow, 'Every Morning');
		expect(morning.error).toMatch(/^1 people of the table were not looked after: Cleo Sample: Argyle could not find/);
		expect(['ann', 'ben', 'cleo'].map((name) => argyle.messagesTo(`${name}@example.com`))).toEqual([1, 2, 1]);
		const left = await runByHand(client, workflow, 'Every Morning');
		expect(left.output['Who Is Not Done']?.map(({ json }) => json.name).sort()).toEqual(['Ben Sample', 'Cleo Sample']);
		expect(argyle.messagesTo('ben@example.com')).toBe(2);
	}, 120_000);

	it('form-to-invites-in-table.json fails for a person whose address has an open invite of somebody else, and leaves their row alone', async () => {
		const { client, argyle } = fixture();
		const { workflow, webhookId } = await publishInviteForm();
		const statuses: unknown[] = [];
		for (const [index, name] of ['Joe', 'Jane', 'joe '].entries()) {
			await fillInForm(client, webhookId, [name, 'Burnam', 'burnams@example.com', `t-${name}`]);
			const [latest] = await client.waitForExecutions(workflow.id, index + 1);
			const { status, error } = await client.execution(latest?.id ?? '');
			statuses.push(error ?? status);
		}
		await client.unpublish(workflow.id);
		expect(statuses).toEqual([
			'success',
			expect.stringMatching(/^Jane Burnam was not invited: the invite to burnams@example\.com is that of Joe Burnam/),
			'success',
		]);
		const morning = await runByHand(client, workflow, 'Every Morning');
		const names = morning.output['Who Is Not Done']?.map(({ json }) => json.name);
		expect(names).toContain('joe Burnam');
		expect(names).not.toContain('Jane Burnam');
		expect(argyle.messages).toHaveLength(1);
	}, 60_000);

	it('receipts-by-external-id.json packs receipts whose IDs a file name can not tell apart, and fails with those that nobody has', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const people = ['crm-1001', 'crm-1002'].map((id) => userWith(argyle, id));
		const externalIds = ['loan/1', 'loan-1'];
		for (const [index, person] of people.entries()) person.external_id = externalIds[index];
		const webhookId = randomUUID();
		const workflow = await importWorkflow('receipts-by-external-id.json', { 'Which Receipts?': { webhookId } });
		const { status, error } = await runPublished(client, workflow, async () => {
			await fillInForm(client, webhookId, ['loan/1\n loan-1 \ncrm-9999\n\nloan/1']);
		});
		for (const [index, person] of people.entries()) person.external_id = `crm-${1001 + index}`;
		expect(status).toBe('error');
		expect(error).toMatch(/^1 of 3 receipts could not be made: crm-9999: /);
		const [text, archive] = onlyMail();
		expect(textOf(text)).toMatch(/^2 of 3 receipts are attached\./);
		const files = unzip(archive?.bytes ?? Buffer.alloc(0));
		expect(files.size).toBe(2);
		for (const [index, { id }] of people.entries())
			expect(files.get(`receipt-${index + 1}-loan-1.pdf`)).toEqual(await argyle.receiptPdf(id));
	}, 60_000);

	it('form-to-slack.json tells the channel who it is and what they wrote', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		const workflow = await importWorkflow('form-to-slack.json');
		const { id: user } = userWith(argyle, 'crm-1001');
		const { status, error } = await runPublished(client, workflow, async () => {
			await argyle.submitForm({ user, incomeSource: 'Corner Bakery', payrollProvider: 'Paper checks' });
		});
		expect([status, error]).toEqual(['success', undefined]);
		expect(google.slackMessages).toMatchObject([
			{
				channel: '#argyle',
				text: 'Bob Jones, bob.jones@example.com, crm-1001 did not find the employer *Corner Bakery* (payroll: Paper checks).',
			},
		]);
	}, 60_000);

	it('reconnect-lost-connections.json sends the last invite again, once for each loss, and tells of who has none', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		argyle.invites.clear();
		const workflow = await importWorkflow('reconnect-lost-connections.json');
		const [bob, nameless] = ['crm-1001', 'crm-1002'].map((id) => userWith(argyle, id).id);
		const { email } = userWith(argyle, 'crm-1001');
		storeInvite(argyle, String(bob), { email });
		argyle.messages.length = 0;
		await client.publish(workflow);
		const accounts = [bob, nameless].flatMap((user) =>
			argyle.records.add('accounts', 1, { user: String(user), account: randomUUID() }),
		);
		const update = async (index: number) => {
			const account = accounts[index];
			await argyle.deliver('accounts.updated', { account: account?.id, user: account?.user, resource: account });
		};
		await update(0);
		for (const account of accounts)
			account.connection = { status: 'error', error_code: 'expired_credentials', updated_at: daysAgo(0) };
		for (const index of [0, 0, 1]) await update(index);
		const executions = await client.waitForExecutions(workflow.id, 2);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		await client.unpublish(workflow.id);
		expect(argyle.messages.map(({ to }) => to)).toEqual([email]);
		expect(textOf(onlyMail()[0])).toContain('The connection of crm-1002 is lost (expired_credentials)');
	}, 90_000);

	it('reconnect-lost-connections.json writes to each person when several losses come in one execution, but not to whom is done', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		argyle.invites.clear();
		const [bob = '', nameless] = ['crm-1001', 'crm-1002'].map((id) => userWith(argyle, id).id);
		const joe = [...argyle.users.values()].find(({ first_name: name }) => name === 'Joe')?.id ?? '';
		const [done, noInvite, open] = [randomUUID(), randomUUID(), randomUUID()];
		const invite = (user: string, email: string) => storeInvite(argyle, user, { email });
		invite(bob, 'bob@example.com');
		invite(joe, 'joe@example.com').status = 'completed';
		invite(done, 'done@example.com').status = 'completed';
		invite(open, 'open@example.com');
		argyle.messages.length = 0;
		const losses = [
			[bob, 'enabled'],
			[done, 'disabled'],
			[nameless, null],
			[noInvite, 'disabled'],
			[joe, 'idle'],
			[open, 'disabled'],
		].map(([user, ongoing_refresh_status]) => ({
			json: {
				event: 'accounts.connection_lost',
				data: { user, error_code: 'expired_credentials', ongoing_refresh_status },
				user: { id: user },
			},
		}));
		const workflow = await importWorkflow('reconnect-lost-connections.json', {}, { 'Connection Lost': losses });
		expect(await runByHand(client, workflow, 'Connection Lost')).toMatchObject({ status: 'success' });
		const writtenTo = argyle.messages.map(({ to }) => to);
		expect(writtenTo).toEqual(['bob@example.com', 'joe@example.com', 'open@example.com']);
		expect(mailbox.mails.flatMap(partsOf).map(textOf)).toEqual([expect.stringContaining(`user ${nameless} is lost`)]);
	});

	it('verify-again-each-quarter.json refreshes once for each person, and sends a link to whom that is refused', async () => {
		const { client, argyle, importWorkflow } = fixture();
		argyle.messages.length = 0;
		const verifications = argyle.records.of('verifications');
		verifications.clear();
		const [bob, nameless] = ['crm-1001', 'crm-1002'].map((id) => userWith(argyle, id).id);
		for (const user of [bob, bob, nameless])
			argyle.records.add(
				'verifications',
				1,
				{ user: String(user), account: randomUUID() },
				{
					created_at: daysAgo(90),
					status: { state: 'COMPLETED', code: 'completed' },
					report: { type: 'voie' },
				},
			);
		argyle.addFault({ kind: 'status', status: 400, method: 'POST', path: '/v2/verifications/refresh', times: 2 });
		const workflow = await importWorkflow('verify-again-each-quarter.json');
		const { status, error } = await runByHand(client, workflow, 'Each Quarter');
		argyle.clearFaults();
		expect(status).toBe('error');
		expect(error).toMatch(
			new RegExp(`^1 of 2 people were not verified again: user ${nameless}: Argyle has no name or no `),
		);
		const ordered = [...verifications.values()].filter(({ status: each }) => isJson(each) && each.state === 'PENDING');
		expect(ordered.map(({ user }) => user)).toEqual([bob]);
		expect(argyle.messages.map(({ to }) => to)).toEqual(['bob.jones@example.com']);
		await runByHand(client, workflow, 'Each Quarter');
		expect(argyle.messages).toHaveLength(1);
	}, 90_000);

	it('daily-changes.json e-mails what has changed since yesterday, with names, and nothing on a quiet day', async () => {
		const { client, argyle, mailbox, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('daily-changes.json');
		const verifications = argyle.records.of('verifications');
		verifications.clear();
		argyle.accounts.clear();
		expect((await runByHand(client, workflow, 'Every Morning')).status).toBe('success');
		expect(mailbox.mails).toEqual([]);
		const { id: user } = userWith(argyle, 'crm-1001');
		const lost = { status: 'error', error_code: 'auth_required', updated_at: daysAgo(0) };
		const owner = { user, account: randomUUID() };
		argyle.records.add('accounts', 1, owner, { updated_at: daysAgo(0), connection: lost });
		argyle.records.add('accounts', 1, owner, {
			updated_at: daysAgo(0),
			connection: { ...lost, error_code: 'invalid_credentials' },
			ongoing_refresh: { status: 'idle' },
			scanned_at: null,
		});
		const [verification] = argyle.records.add('verifications', 1, owner, { status: { state: 'PENDING' } });
		if (verification === undefined) throw new Error('there is no verification');
		moveVerification(argyle, verification, 'PAUSED', 'connection_attempted');
		expect((await runByHand(client, workflow, 'Every Morning')).status).toBe('success');
		const lines = textOf(onlyMail()[0]).split('\r\n').sort();
		expect(lines).toEqual([
			'Bob Jones, bob.jones@example.com, crm-1001: connection to Whole Goods lost: auth required',
			'Bob Jones, bob.jones@example.com, crm-1001: login at Whole Goods failed: invalid credentials',
			expect.stringMatching(/^Bob Jones, .*: verification \([A-Z]+\) paused: connection attempted$/),
		]);
		// Of a day on which no e-mail was sent, because n8n or Argyle was away.
		const missed = { ...lost, error_code: 'account_disabled', updated_at: daysAgo(2) };
		argyle.records.add('accounts', 1, owner, { updated_at: daysAgo(2), connection: missed });
		expect((await runByHand(client, workflow, 'Every Morning')).status).toBe('success');
		expect(mailbox.mails.flatMap(partsOf).map(textOf).slice(1)).toEqual([
			'Bob Jones, bob.jones@example.com, crm-1001: connection to Whole Goods lost: account disabled',
		]);
		expect((await runByHand(client, workflow, 'Every Morning')).status).toBe('success');
		expect(mailbox.mails).toHaveLength(2);
	}, 60_000);
}
