import { n8nNode } from '../../support/n8n/nodes.mts';
import type { BrowserFixture } from './browserFixture.mts';
import { ParameterForm } from './parameterForm.mts';

const PEOPLE = [
	{ 'First Name': 'Bea', 'Last Name': 'Row', Email: 'bea@example.com' },
	{ 'First Name': 'Cem', 'Last Name': 'Row', Email: 'cem@example.com' },
];

/** From the rows of a table to invites. A Code node stands for the sheet, which would need an account at Google. */
export function stepWithInvites(
	step: (name: string, run: () => Promise<void>) => void,
	fixture: () => BrowserFixture,
): void {
	step('invites the people of a table by dragging its columns, with no expression typed', async () => {
		const { argyle, client, editor } = fixture();
		const jsCode = `return ${JSON.stringify(PEOPLE)};`;
		const nodes = [n8nNode('Start', 'manualTrigger'), n8nNode('People', 'code', { jsCode }, 2)];
		const { id } = await client.createWorkflow('Sheet to invites', nodes);
		await editor.openWorkflow(id);
		await editor.openNode('People');
		await editor.executeStep('');
		await editor.outputData.filter({ hasText: 'bea@example.com' }).waitFor();
		await editor.closePanel();

		await editor.searchNodes('argyle');
		await editor.foundNode.click();
		await editor.addNode('Send an invite');
		const form = new ParameterForm(editor.page);
		// From the last to the first: below a field that was filled, n8n shows the result over the next ones.
		await editor.input.drag('Email', form.field('email'));
		await editor.input.drag('Last Name', form.field('lastName'));
		await editor.input.drag('First Name', form.field('firstName'));
		await editor.executeStep("$json['First Name']");
		await editor.showOutputAs('Table');
		await editor.outputRows.nth(1).waitFor();
		const rows = await editor.outputRows.allInnerTexts();
		const invites = [...argyle.invites.values()];
		expect(invites).toMatchObject(
			PEOPLE.map(({ Email, ...name }) => ({
				...{ email: Email, first_name: name['First Name'], last_name: name['Last Name'] },
			})),
		);
		for (const [index, { url }] of invites.entries()) expect(rows[index]).toContain(url);
		expect(argyle.messages.map(({ to }) => to)).toEqual(PEOPLE.map(({ Email }) => Email));
		await editor.closePanel();
		await editor.subtitle('Invite: Send').waitFor();
	});
}
