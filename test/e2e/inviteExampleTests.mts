import { storeInvite as inviteAtArgyle } from '../support/fakeArgyle/invites.mts';
import { runByHand } from '../support/n8n/example.mts';
import { argyleNode, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { daysAgo, type ExampleFixture } from './exampleFixture.mts';

/** Stores an invite that was sent some days ago, after `reminders`. */
async function storeInvite(
	{ client, argyle, credentials }: ExampleFixture,
	email: string,
	days: number,
	reminders: number,
): Promise<string> {
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

/** The examples that follow an invite. */
export function inviteExampleTests(fixture: () => ExampleFixture): void {
	it('remind-invites.json reminds of what nobody opened for three days, and revokes after three reminders', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const workflow = await importWorkflow('remind-invites.json');
		argyle.invites.clear();
		const fresh = await storeInvite(fixture(), 'fresh@example.com', 2, 0);
		const unopened = await storeInvite(fixture(), 'unopened@example.com', 4, 0);
		const opened = await storeInvite(fixture(), 'opened@example.com', 4, 0);
		const reminded = await storeInvite(fixture(), 'reminded@example.com', 4, 3);
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

	it('form-to-new-invite.json invites again when Argyle supports the employer, and asks for documents otherwise', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
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
}
