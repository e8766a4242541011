import { credentialFor } from '../../support/fakeArgyle/credential.mts';
import { argyleNode, argyleTrigger, n8nNode, type SavedNode } from '../../support/n8n/nodes.mts';
import type { BrowserFixture } from './browserFixture.mts';
import { byTestId } from './elements.mts';
import { takeScreenshot } from './screenshots.mts';

/** Sees what n8n shows above a node's output, and that it shows nothing before anything is wrong. */
export async function seeHints({ argyle, client, editor }: BrowserFixture): Promise<void> {
	const credential = await client.createCredential('Argyle of the hints', 'argyleApi', credentialFor(argyle));
	const hints = byTestId(editor.page, 'node-hint');

	/** Opens the last node of a new workflow and, unless it is only looked at, executes it. */
	async function open(nodes: SavedNode[], isExecuted: boolean): Promise<void> {
		const { id } = await client.createWorkflow('Hints', nodes);
		await editor.openWorkflow(id);
		await editor.openNode(nodes.at(-1)?.name ?? '');
		if (!isExecuted) return;
		await editor.executeStep('');
		await editor.outputRows.first().waitFor();
	}
	const trigger = async (parameters: Record<string, unknown>, isExecuted: boolean) =>
		await open([argyleTrigger(credential, parameters)], isExecuted);
	async function readHint(name: string, text: string): Promise<void> {
		await hints.filter({ hasText: text }).waitFor();
		expect(await hints.count()).toBe(1);
		await takeScreenshot(editor.page, `hint-${name}`, editor.outputHead, hints);
	}

	const identities = { resource: 'identity', operation: 'getAll', returnAll: true, simplify: false };
	await open([n8nNode('Start', 'manualTrigger'), argyleNode(credential, identities)], true);
	await readHint('masked', '••• stands for a social security number, a birth date, or a number of a bank account');
	const forms = [...argyle.userForms];
	argyle.userForms.clear();
	await trigger({ receiveBy: 'polling' }, true);
	await readHint('sample', 'This is a sample, because the Argyle account has no user form yet.');
	for (const [id, form] of forms) argyle.userForms.set(id, form);
	await trigger({ events: ['*', 'users.fully_synced'] }, false);
	await readHint('events', "All Events can't be combined with single events");
	await trigger({ events: ['items.removed'], items: [] }, false);
	await readHint('items', 'Items is empty');
	await trigger({ events: ['*'] }, false);
	await editor.outputHead.waitFor();
	expect(await hints.count()).toBe(0);
	await editor.closePanel();
}
