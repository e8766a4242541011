import { startPage } from '../../../scripts/demo/page.mts';
import { publishWorkflow } from '../../../scripts/demo/workflow.mts';
import { credentialFor } from '../../support/fakeArgyle/credential.mts';
import { runNodes } from '../../support/n8n/example.mts';
import { argyleNode, argyleTrigger } from '../../support/n8n/nodes.mts';
import type { BrowserFixture } from './browserFixture.mts';
import { takeScreenshot } from './screenshots.mts';

/** Every button of the demo's page, and what n8n then does. */
export function stepWithDemoPage(
	step: (name: string, run: () => Promise<void>) => void,
	fixture: () => BrowserFixture,
): void {
	step("lets things happen at the fake Argyle with the buttons of the demo's page", async () => {
		const { argyle, client, editor } = fixture();
		const credential = await client.createCredential('Argyle of the demo', 'argyleApi', credentialFor(argyle));
		const trigger = argyleTrigger(credential, { events: ['*'] });
		const workflow = await client.publishNew('All events', [trigger]);
		const demo = await startPage(argyle, client);
		// A form of a minute ago counts only if the workflow was published before.
		argyle.onCreated = async (subscription) => {
			subscription.created_at = new Date(Date.now() - 62_000).toISOString();
		};
		const { workflow: receipt } = await publishWorkflow(client, credentialFor(argyle), true, demo);
		argyle.onCreated = async () => {};
		const page = await editor.page.context().browser()?.newPage();
		if (page === undefined) throw new Error('The browser has been closed');
		await page.goto(demo.address);
		const press = async (name: string) => await page.locator('.actions').getByRole('button', { name }).click();
		const deliveries = page.locator('#deliveries tr');
		const run = async (name: string, parameters: Record<string, unknown>) =>
			await runNodes(client, name, [argyleNode(credential, parameters)]);

		await page.getByText('n8n – All events').waitFor();
		await page.getByLabel('Person').selectOption('Joe Burnam');
		await page.getByLabel('Income source').fill('Harbour Bakery');
		await press('Submit a form');
		await deliveries.filter({ hasText: 'user_forms.submitted' }).filter({ hasText: '200' }).first().waitFor();
		const [, , joe] = argyle.users.values();
		expect([...argyle.userForms.values()].at(-1)?.user).toBe(joe?.id);
		await page.getByLabel('Event').selectOption('paystubs.added');
		await press('Let it happen');
		await deliveries.filter({ hasText: 'paystubs.added' }).filter({ hasText: '200' }).first().waitFor();
		const invite = {
			...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: 'Sample' },
			...{ sendBy: 'email', email: 'alex@example.com', additionalFields: {} },
		};
		await run('Invite', invite);
		const message = page.locator('#messages tr').filter({ hasText: 'Alex Sample' });
		await message.getByRole('button', { name: 'Open the link' }).click();
		await message.filter({ hasText: 'initiated' }).waitFor();
		await message.getByRole('button', { name: 'Submit a form' }).click();
		await message.filter({ hasText: 'attempted' }).waitFor();
		await page.getByText('Alex Sample did not find the employer, and submitted a form for Harbour Bakery.').waitFor();
		await message.getByRole('button', { name: 'Log in' }).click();
		await message.filter({ hasText: 'completed' }).waitFor();
		await deliveries.filter({ hasText: 'reports.ready' }).filter({ hasText: '200' }).first().waitFor();

		const order = { userId: { __rl: true, mode: 'id', value: joe?.id }, reportType: 'voie', additionalFields: {} };
		await run('Report', { resource: 'report', operation: 'generate', ...order });
		await run('Verification', { resource: 'verification', operation: 'order', ...order });
		const orders = page.locator('#orders tr').filter({ hasText: 'Joe Burnam' });
		const verification = orders.filter({ hasText: 'Verification' });
		await orders.filter({ hasText: 'Report' }).filter({ hasText: 'generated' }).waitFor();
		await verification.filter({ hasText: 'PENDING' }).waitFor();
		await verification.getByRole('button', { name: 'Do what is asked' }).click();
		await verification.filter({ hasText: 'COMPLETED' }).waitFor();
		await takeScreenshot(page, 'demo-page', page.locator('h1'), page.locator('#deliveries'));
		await client.waitForExecutions(workflow.id, 16);

		const mails = page.locator('#mails tr').filter({ hasText: 'Argyle receipt of Joe Burnam' });
		await mails.first().waitFor();
		await press('n8n misses this one');
		await deliveries.filter({ hasText: 'user_forms.submitted' }).filter({ hasText: 'none' }).first().waitFor();
		await mails.nth(1).waitFor();
		const file = await fetch(new URL((await mails.first().getByRole('link').getAttribute('href')) ?? '', demo.address));
		expect(file.headers.get('content-type')).toBe('application/pdf');
		expect(Buffer.from(await file.arrayBuffer())).toEqual(await argyle.receiptPdf(joe?.id ?? ''));

		await press('Take Argyle away');
		await page.getByRole('button', { name: 'Bring Argyle back' }).waitFor();
		await expect(fetch(argyle.origin)).rejects.toThrow();
		await press('Bring Argyle back');
		await page.getByRole('button', { name: 'Take Argyle away' }).waitFor();
		expect((await fetch(argyle.origin)).status).toBe(401);
		await page.close();
		demo.stop();
		for (const { id } of [workflow, receipt]) await client.unpublish(id);
	});
}
