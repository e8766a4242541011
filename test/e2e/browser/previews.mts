import { readExamples } from '../../support/n8n/example.mts';
import {
	argyleNode,
	argyleTrigger,
	generateReceipt,
	inARow,
	n8nNode,
	type SavedNode,
} from '../../support/n8n/nodes.mts';
import type { BrowserFixture } from './browserFixture.mts';
import { takeScreenshot } from './screenshots.mts';

/** The schema previews of operations, and the pinned sample that an example has for its trigger. */
export function stepWithPreviews(
	step: (name: string, run: () => Promise<void>) => void,
	fixture: () => BrowserFixture,
): void {
	step('sees the fields of a sample and of three operations in the next node, before anything ran', async () => {
		const { client, editor } = fixture();
		const credential = (await client.credentialNamed('Argyle account')) ?? { id: '', name: '' };
		const sample = readExamples().find(({ file }) => file === 'form-to-receipt-by-email.json')?.pinData ?? {};
		const nodes = [
			argyleTrigger(credential, {}, { name: 'Form Submitted' }),
			argyleNode(credential, { resource: 'user', operation: 'get' }, { name: 'User' }),
			argyleNode(credential, { resource: 'paystub', operation: 'getAll' }, { name: 'Paystubs' }),
			generateReceipt(credential, '={{ $json.account }}'),
			n8nNode('Next', 'noOp'),
		].map((node, index): SavedNode => ({ ...node, position: [220 * index, 0] }));
		const { id } = await client.createWorkflow('Before anything ran', nodes, inARow(nodes), sample);
		await editor.openWorkflow(id);
		await editor.openNode('Next');
		for (const [node, field] of [
			['Paystubs', 'gross_pay'],
			['User', 'external_id'],
			['Generate Receipt', 'fileName'],
		] as const) {
			await (await editor.input.fieldsOf(node)).filter({ hasText: field }).waitFor();
			expect(await editor.input.previewNotice.innerText()).toContain('Usually outputs the following fields.');
		}
		await takeScreenshot(
			editor.page,
			'preview',
			editor.input.head('Generate Receipt'),
			editor.input.head('Form Submitted'),
		);
		const trigger = await editor.input.fieldsOf('Form Submitted');
		await trigger.filter({ hasText: 'Sample Bakery' }).waitFor();
		await editor.closePanel();
	});
}
