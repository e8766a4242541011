import { randomUUID } from 'node:crypto';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { runByHand, runNodes } from '../support/n8n/example.mts';
import { argyleNode, argyleTrigger } from '../support/n8n/nodes.mts';
import { daysAgo, type ExampleFixture } from './exampleFixture.mts';

function addSubscription(argyle: FakeArgyle, url: string, created_at: string, last_sent_at: string | null): string {
	const subscription = { ...newSubscription({ name: url, url, events: ['*'] }), created_at, last_sent_at };
	argyle.subscriptions.set(subscription.id, subscription);
	return subscription.id;
}

/** Makes a subscription by hand, without a secret. */
async function createSubscription({ client, credentials }: ExampleFixture, url: string): Promise<void> {
	const events = ['user_forms.submitted'];
	const create = { resource: 'webhook', operation: 'create', name: 'My own', url, events };
	const { status } = await runNodes(client, 'Create', [argyleNode(credentials.argyleApi, create)]);
	expect(status).toBe('success');
}

export function subscriptionExampleTests(fixture: () => ExampleFixture): void {
	it('remove-stale-subscriptions.json deletes old, unused subscriptions of other hosts, once its Delete node is activated', async () => {
		const { client, argyle, credentials, importWorkflow } = fixture();
		const trigger = argyleTrigger(credentials.argyleApi);
		const own = await client.createWorkflow('Own trigger', [trigger], {});
		await client.publish(own);
		for (const subscription of argyle.subscriptions.values()) subscription.created_at = '2020-01-01T00:00:00Z';
		const stale = [
			addSubscription(argyle, 'https://old.example.com/argyle', daysAgo(200), null),
			addSubscription(argyle, 'https://www.old.example.com', daysAgo(300), daysAgo(91)),
		];
		addSubscription(argyle, 'https://new.example.com/argyle', daysAgo(89), null);
		const busy = addSubscription(argyle, 'https://busy.example.com/argyle', daysAgo(500), daysAgo(1));
		addSubscription(argyle, 'https://busy.example.com.au/argyle', daysAgo(500), daysAgo(1));
		addSubscription(argyle, `${client.origin}/webhook/argyle-deliveries`, daysAgo(500), daysAgo(400));
		const before = [...argyle.subscriptions.keys()];
		expect(before).toHaveLength(7);

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
	});

	it('remove-stale-subscriptions.json deletes the others when one is refused, and fails with its address', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const [, refused = ''] = ['a', 'b', 'c'].map((host) =>
			addSubscription(argyle, `https://${host}.example.com/argyle`, daysAgo(200), null),
		);
		argyle.addFault({ kind: 'status', status: 403, method: 'DELETE', path: `/v2/webhooks/${refused}` });
		const workflow = await importWorkflow('remove-stale-subscriptions.json', { Delete: { disabled: false } });
		const { status, error } = await runByHand(client, workflow, 'Start by Hand');
		expect(status).toBe('error');
		expect(error).toMatch(
			/^1 of 3 subscriptions were not deleted: https:\/\/b\.example\.com\/argyle: Argyle refused the request/,
		);
		expect([...argyle.subscriptions.keys()]).toEqual([refused]);
		expect(await runByHand(client, workflow, 'Start by Hand')).toMatchObject({ status: 'success' });
		expect(argyle.subscriptions.size).toBe(0);
	});

	it('remove-stale-subscriptions.json can only be started by hand', async () => {
		const { client, importWorkflow } = fixture();
		const workflow = await importWorkflow('remove-stale-subscriptions.json');
		await expect(client.publish(workflow)).rejects.toThrow(/trigger/i);
	});

	it('verify-deliveries.json separates genuine deliveries from forged ones', async () => {
		const { client, argyle, importWorkflow } = fixture();
		const webhookId = randomUUID();
		const url = `${client.origin}/webhook/${webhookId}`;
		const workflow = await importWorkflow('verify-deliveries.json', { Delivery: { webhookId } });
		await client.publish(workflow);
		await createSubscription(fixture(), url);
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
		await client.unpublish(workflow.id);
		argyle.subscriptions.clear();
	});
}
