import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { resources } from '../../../nodes/Argyle/resources';
import type { FakeArgyle } from '../../support/fakeArgyle/index.mts';
import { until } from '../../support/n8n/until.mts';
import type { N8nEditor } from './n8nEditor.mts';
import { takeScreenshot, takeScreenshotWithOverlays } from './screenshots.mts';
import { type BrowserFixture, startBrowserFixture } from './browserFixture.mts';
import { stepWithDemoPage } from './demoPage.mts';
import { stepWithInvites } from './inviting.mts';
import { stepWithPreviews } from './previews.mts';
import { publishInEditor } from './publishDialog.mts';
import { stepsWithoutPublicAddress } from './withoutPublicAddress.mts';

const UNKNOWN_USER = '00000000-0000-4000-8000-000000000000';
const ACTIONS = resources.flatMap(({ operations }) => operations).length;
const STEP_TIMEOUT_MS = 300_000;

let fixture: BrowserFixture;
let editor: N8nEditor;
let argyle: FakeArgyle;
let page: Page;
beforeAll(async () => {
	fixture = await startBrowserFixture();
	({ editor, argyle } = fixture);
	({ page } = editor);
});
afterAll(async () => await fixture.stop());

/** A test that begins where the one before has ended. */
const step = (name: string, run: () => Promise<void>) =>
	it(name, async () => await fixture.step(name, run), STEP_TIMEOUT_MS);

async function searchForJoe(): Promise<void> {
	await editor.openPicker();
	await editor.searchInPicker('joe');
	await until('only Joe is offered', 120_000, async () =>
		(await editor.pickerEntries.count()) === 1 ? true : undefined,
	);
}

/** From the first sign-in to a receipt and a table of paystubs, as a person who writes no code does it. */
describe("in n8n's editor, a person", () => {
	step(
		'finds the Argyle node and the Argyle Trigger by searching for "argyle", "payroll" or "argyle receipt"',
		async () => {
			await editor.signIn(fixture.client.owner);
			for (const word of ['payroll', 'argyle receipt', 'argyle']) {
				await editor.searchNodes(word);
				if (word === 'argyle') await takeScreenshot(page, 'node-creator', editor.nodePanelHead, editor.foundNode);
				await editor.foundNode.click();
				await editor.actionKinds.nth(1).waitFor();
				expect(await editor.actionKinds.allInnerTexts()).toEqual([
					expect.stringMatching(/^Triggers/),
					`Actions (${ACTIONS})`,
				]);
				if (word !== 'argyle') await editor.backToSearch();
			}
		},
	);

	step('creates a credential, sees why a wrong API key fails, and connects with the right one', async () => {
		await editor.addNode('On user form submitted');
		const { id, secret } = argyle.key;
		await editor.credential.create();
		await editor.credential.fill({ apiKeyId: id, apiKeySecret: secret });
		await takeScreenshot(page, 'credential', editor.credential.dialog);
		await editor.credential.chooseEnvironment('Custom Base URL');
		await editor.credential.fill({ baseUrl: argyle.origin, apiKeyId: 'my-key', apiKeySecret: 'mistyped' });
		await editor.credential.save();
		expect(await editor.credential.failure()).toContain(
			'Argyle does not know this API key. Check API Key ID and API Key Secret',
		);

		await editor.credential.fill({ apiKeyId: id, apiKeySecret: secret });
		await editor.credential.save();
		await editor.credential.dialog.waitFor({ state: 'hidden' });
		await editor.credential.edit();
		await editor.credential.success.waitFor();
		await editor.credential.close();
	});

	step('sees the fields of the trigger in the light and the dark theme', async () => {
		for (const [colorScheme, name] of [
			['dark', 'trigger-dark'],
			['light', 'trigger'],
		] as const) {
			await page.emulateMedia({ colorScheme });
			await takeScreenshot(page, name, editor.credentialField, editor.lastField);
		}
	});

	step('listens for a test event and sees it', async () => {
		await editor.listen('Argyle account');
		const { form, user } = await argyle.submitForm();
		await editor.outputData.filter({ hasText: form.id }).waitFor();
		const shown = await editor.outputData.innerText();
		expect(shown).toContain('user_forms.submitted');
		expect(shown).toContain(user);
		await editor.showOutputAs('Schema');
		await takeScreenshot(
			page,
			'test-event',
			editor.outputHead,
			editor.outputFields.first(),
			editor.outputFields.last(),
		);
		await editor.closePanel();
	});

	step('adds Generate Receipt and sees that an invalid user ID is rejected before it is executed', async () => {
		await editor.searchNodes('argyle');
		await editor.foundNode.click();
		await takeScreenshot(page, 'actions', editor.nodePanelHead, editor.actionKinds.last());
		await editor.addNode('Generate a receipt');
		await editor.enterById('12345');
		expect(await editor.fieldIssue()).toContain(
			'Not an ID such as 0187c66e-e7e5-811c-b006-2232f00f426a. To search, choose From list',
		);
	});

	step('reads what is wrong and what to do when the user does not exist', async () => {
		await editor.enterById(UNKNOWN_USER);
		await editor.executeStep(UNKNOWN_USER);
		await editor.errorMessage.waitFor();
		expect(await editor.errorMessage.innerText()).toContain(`Argyle could not find the user ${UNKNOWN_USER}`);
		expect(await editor.errorDescription.innerText()).toContain('Check the ID.');
		expect(await editor.output.innerText()).not.toMatch(/\n\s+at |\.js:\d/);
		await takeScreenshot(page, 'error', editor.outputHead, editor.errorMessage, editor.errorDescription);
	});

	step('picks a user by name, generates the receipt and downloads the PDF file', async () => {
		const [, , joe = ''] = argyle.users.keys();
		await editor.enterById('');
		await editor.pickBy('From list');
		await searchForJoe();
		await takeScreenshotWithOverlays(page, 'pick-user', editor.credentialField, editor.lastField);
		await editor.pickerEntries.click();
		expect(await editor.pickedLabel()).toMatch(/^Joe Burnam · /);

		await editor.executeStep(joe);
		await editor.downloadButton.waitFor();
		await takeScreenshot(page, 'receipt', editor.outputFile);
		// n8n 2.41 does not display a PDF file, only offers it for download.
		const [download] = await Promise.all([page.waitForEvent('download'), editor.downloadButton.click()]);
		expect(download.suggestedFilename()).toMatch(`receipt-${joe}-`);
		expect(readFileSync(await download.path())).toEqual(await argyle.receiptPdf(joe));
		await editor.closePanel();
		await editor.subtitle('Receipt: Generate').waitFor();
	});

	step('maps the user of the form by dragging, publishes, and forms delivered over https make receipts', async () => {
		const [user = '', other = ''] = argyle.users.keys();
		await editor.openNode('Generate a receipt');
		await editor.input.drag('user', editor.resourceLocator);
		await editor.executeStep('$json.data.user');
		await editor.downloadButton.waitFor();
		await editor.closePanel();
		const id = await publishInEditor(page);
		await until('the subscription is there', 120_000, async () => [...argyle.subscriptions.values()][0]);
		const byHand = (await fixture.client.executions(id)).length;
		for (const submitter of [user, other]) {
			const { attempts } = await argyle.submitForm({ user: submitter });
			expect(attempts).toMatchObject([{ status: 200, url: expect.stringMatching(/^https:/) }]);
		}
		const executions = (await fixture.client.waitForExecutions(id, byHand + 2)).slice(0, 2);
		const receipts = executions.map(async (execution) => {
			const { output } = await fixture.client.execution(execution.id);
			return output['Generate a receipt']?.[0]?.json;
		});
		expect(await Promise.all(receipts)).toEqual([
			expect.objectContaining({ user: other }),
			expect.objectContaining({ user }),
		]);
		await fixture.client.unpublish(id);
	});

	stepWithPreviews(step, () => fixture);

	step('makes a table of paystubs of a test event, with no expression and no setting', async () => {
		await editor.startNewWorkflow();
		await editor.searchNodes('argyle');
		await editor.foundNode.click();
		await editor.addNode('On paystub added');
		await editor.listen('paystubs.added');
		const [newest, , oldest] = argyle.addRecords('paystubs', 3, { account: randomUUID() });
		await argyle.deliver('paystubs.added', {
			account: newest?.account,
			user: argyle.accounts.get(String(newest?.account))?.user,
			added_count: 3,
			added_from: oldest?.paystub_date,
			added_to: newest?.paystub_date,
		});
		await editor.outputData.filter({ hasText: 'paystubs.added' }).waitFor();
		await editor.closePanel();

		await editor.searchNodes('argyle');
		await editor.foundNode.click();
		await editor.addNode('Get the records of an event');
		// n8n does not save the operation, which is its resource's default.
		await editor.executeStep('"resource":"event"');
		await editor.outputFields.first().waitFor();
		await editor.widenOutput();
		await editor.showOutputAs('Table');
		await editor.outputRows.nth(2).waitFor();
		const rows = (await editor.outputRows.allInnerTexts()).map((row) => row.split('\t'));
		expect(rows.map((cells) => cells.slice(7, 9))).toEqual([
			['630.57', '565.57'],
			['630.58', '565.58'],
			['630.59', '565.59'],
		]);
		await takeScreenshot(page, 'paystubs', editor.outputHead, await editor.lastOutputCell());
		await editor.closePanel();
	});

	step('picks a user by name in the filters of Get Many, and sees only paystubs of this user', async () => {
		const [, , joe = ''] = argyle.users.keys();
		const account = [...argyle.accounts.values()].find(({ user }) => user === joe)?.id ?? 'none';
		await editor.searchNodes('argyle');
		await editor.foundNode.click();
		await editor.addNode('Get many paystubs');
		await editor.addFilter('User');
		await searchForJoe();
		await editor.pickerEntries.click();
		expect(await editor.pickedLabel()).toMatch(/^Joe Burnam · /);
		await editor.executeStep(joe);
		await editor.outputRows.first().waitFor();
		const rows = await editor.outputRows.allInnerTexts();
		expect(rows.filter((row) => !row.includes(account))).toEqual([]);
		await editor.closePanel();
	});

	stepsWithoutPublicAddress(step, () => fixture);

	stepWithInvites(step, () => fixture);

	stepWithDemoPage(step, () => fixture);
});
