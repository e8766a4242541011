import { isJson } from '../support/json.mts';
import { retryExecution, runByHand, runPublished } from '../support/n8n/example.mts';
import { argyleTrigger, generateReceipt, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { daysAgo, type ExampleFixture, textOf } from './exampleFixture.mts';

export function recoveryExampleTests(fixture: () => ExampleFixture): void {
	it('run-forms-again.json runs each form of the last week through another workflow, as the trigger gives it', async () => {
		const { client, argyle, credentials, importWorkflow } = fixture();
		const started = n8nNode('Started', 'executeWorkflowTrigger', { inputSource: 'passthrough' }, 1.1);
		const after = n8nNode('After', 'noOp');
		const formTrigger = argyleTrigger(credentials.argyleApi, { options: { includeUser: true } });
		const target = await client.createWorkflow('To run again', [formTrigger, started, after], {
			[formTrigger.name]: inARow([formTrigger, after])[formTrigger.name],
			Started: inARow([started, after]).Started,
		});
		await client.publish(target);
		const { form } = await argyle.submitForm({ incomeSource: 'Corner Bakery' });
		const [first] = await client.waitForExecutions(target.id, 1);
		const original = (await client.execution(first?.id ?? '')).output.After?.[0]?.json;
		const lastMonth = argyle.storeForm({ createdAt: daysAgo(30) });

		const imported = await importWorkflow('run-forms-again.json', {
			'Run the Workflow': { parameters: { workflowId: { __rl: true, mode: 'id', value: target.id } } },
		});
		const { status, error } = await runByHand(client, imported, 'Start by Hand');
		expect({ status, error }).toEqual({ status: 'success', error: undefined });
		const again = (await client.waitForExecutions(target.id, 2)).slice(0, -1);
		const outputs = await Promise.all(
			again.map(async ({ id }) => (await client.execution(id)).output.After?.[0]?.json),
		);
		const forms = outputs.map((json) => isJson(json?.userForm) && json.userForm.id);
		expect(forms).not.toContain(lastMonth.form.id);
		const name = 'n8n – Argyle: run the forms of the last week again';
		expect(outputs[forms.indexOf(form.id)]).toEqual({ ...original, name });
		await client.unpublish(target.id);
	});

	it('run-forms-again.json runs the other forms when one fails, and fails with that one, which Retry runs alone', async () => {
		const { client, argyle, credentials, importWorkflow } = fixture();
		argyle.userForms.clear();
		const started = n8nNode('Started', 'executeWorkflowTrigger', { inputSource: 'passthrough' }, 1.1);
		const receipt = generateReceipt(credentials.argyleApi, '={{ $json.data.user }}');
		const target = await client.publishNew('To run again', [started, receipt]);
		for (const [index, user] of [...argyle.users.keys()].entries())
			argyle.storeForm({ user, incomeSource: `Bakery ${index}`, createdAt: daysAgo(3 - index) });
		const refused = [...argyle.userForms.values()][1];
		argyle.addFault({ kind: 'status', status: 403, method: 'POST', path: '/v2/receipts', skip: 1 });
		const workflow = await importWorkflow('run-forms-again.json', {
			'Run the Workflow': { parameters: { workflowId: { __rl: true, mode: 'id', value: target.id } } },
		});
		const { status, error } = await runByHand(client, workflow, 'Start by Hand');
		expect(status).toBe('error');
		expect(error).toMatch(/^1 of 3 forms failed: Bakery 1, /);
		expect(error).toContain(`${refused?.id}: Argyle refused the request`);
		const runs = await client.waitForExecutions(target.id, 3);
		expect(runs.map((run) => run.status)).toEqual(['success', 'error', 'success']);
		const again = await retryExecution(client, runs[1]?.id ?? '');
		expect(again.output['Generate Receipt']).toMatchObject([{ json: { user: refused?.user } }]);
		await client.unpublish(target.id);
	});

	it('tell-me-when-it-breaks.json e-mails what happened, what to do, and where to look', async () => {
		const { client, argyle, credentials, importWorkflow, onlyMail } = fixture();
		const telling = await importWorkflow('tell-me-when-it-breaks.json');
		await client.publish(telling);
		const nodes = [
			argyleTrigger(credentials.argyleApi),
			generateReceipt(credentials.argyleApi, '={{ $json.data.user }}'),
		];
		const watched = await client.createWorkflow('Form to receipt', nodes);
		const workflow = await client.setErrorWorkflow(watched, telling.id);
		argyle.addFault({ kind: 'status', status: 403, method: 'POST', path: '/v2/receipts' });
		const { id } = await runPublished(client, workflow, async () => await argyle.submitForm());
		await client.waitForExecutions(telling.id, 1);
		const [text] = onlyMail();
		const lines = textOf(text).split('\r\n');
		expect(lines[0]).toBe('What happened: Argyle refused the request [item 0]');
		expect(lines[1]).toMatch(/^What to do: The API key is not allowed to do this\. Ask the owner/);
		expect(lines[2]).toBe('Step: Generate Receipt');
		expect(lines[3]).toBe(`Execution: ${client.origin}/workflow/${workflow.id}/executions/${id}`);
		await client.unpublish(telling.id);
	});
}
