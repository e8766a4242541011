import { until } from '../../support/n8n/until.mts';
import type { BrowserFixture } from './browserFixture.mts';
import { ParameterForm } from './parameterForm.mts';
import { publishInEditor } from './publishDialog.mts';
import { takeScreenshot } from './screenshots.mts';

/** Newer than every other form of the account. */
const inASecond = () => new Date(Date.now() + 1_000).toISOString();

/** From an empty workflow to one that a submitted form starts, where no delivery can arrive. */
export function stepsWithoutPublicAddress(
	step: (name: string, run: () => Promise<void>) => void,
	fixture: () => BrowserFixture,
): void {
	step('keeps the chosen event when another way to receive it is chosen', async () => {
		const { editor } = fixture();
		const form = new ParameterForm(editor.page);
		await editor.startNewWorkflow();
		await editor.searchNodes('argyle');
		await editor.foundNode.click();
		await editor.addNode('On account connected');
		for (const receiveBy of ['Checking for Events', 'Webhook', 'Checking for Events']) {
			await form.choose('receiveBy', receiveBy);
			const notice = editor.parameters.getByText('Argyle has to reach this n8n');
			await notice.waitFor({ state: receiveBy === 'Webhook' ? 'visible' : 'hidden' });
			expect(await form.field('events').innerText()).toBe('Account Connected');
		}
		await editor.untilSaved('"receiveBy":"polling"');
		await editor.closePanel();
	});

	step('without a public address, gets the newest form of the account at once', async () => {
		const { argyle, editor } = fixture();
		const { page } = editor;
		const { form } = argyle.storeForm({ incomeSource: 'Harbour Bakery', createdAt: inASecond() });
		await editor.startNewWorkflow();
		await editor.searchNodes('argyle');
		await editor.foundNode.click();
		await editor.addNode('On user form submitted');
		await new ParameterForm(page).choose('receiveBy', 'Checking for Events');
		await editor.executeStep('"receiveBy":"polling"');
		await editor.outputData.filter({ hasText: 'Harbour Bakery' }).waitFor();
		await editor.showOutputAs('Schema');
		const formId = editor.outputData.getByText(form.id).first();
		await takeScreenshot(
			page,
			'checking-for-forms',
			editor.credentialField,
			editor.outputHead,
			formId,
			editor.outputData.getByText('updated_at'),
		);
		await editor.closePanel();
		await editor.subtitle('Checks for User Forms: Submitted').waitFor();
	});

	step('maps what the person wrote by dragging it, with no expression typed', async () => {
		const { editor } = fixture();
		await editor.searchNodes('edit fields', 'Edit Fields (Set)');
		await editor.addNode('Edit Fields (Set)');
		await editor.input.drag('income_source', new ParameterForm(editor.page).fieldsToSet);
		await editor.executeStep('income_source');
		await editor.outputData.filter({ hasText: 'Harbour Bakery' }).waitFor();
		await editor.closePanel();
	});

	step('publishes the workflow, and a form that Argyle can not deliver starts it', async () => {
		const { argyle, client, editor } = fixture();
		const id = await publishInEditor(editor.page);
		const byHand = (await client.executions(id)).length;
		await until('the workflow is published', 120_000, async () =>
			(await client.publicationStatus(id)).status === 'published' ? true : undefined,
		);
		argyle.storeForm({ incomeSource: 'Market Stall', createdAt: inASecond() });
		const [execution] = await client.waitForExecutions(id, byHand + 1);
		const { output } = await client.execution(execution?.id ?? '');
		expect(output['Edit Fields']).toMatchObject([{ json: { userForm: { data: { income_source: 'Market Stall' } } } }]);
		expect(argyle.subscriptions.size).toBe(0);
		await client.unpublish(id);
	});
}
