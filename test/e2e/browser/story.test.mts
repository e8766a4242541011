import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { FakeArgyle } from '../../support/fakeArgyle/index.mts';
import { until } from '../../support/n8n/until.mts';
import type { N8nEditor } from './n8nEditor.mts';
import { takeScreenshot, takeScreenshotWithOverlays } from './screenshots.mts';
import { type BrowserFixture, startBrowserFixture } from './browserFixture.mts';

const UNKNOWN_USER = '00000000-0000-4000-8000-000000000000';
const STEP_TIMEOUT_MS = 120_000;

let fixture: BrowserFixture;
let editor: N8nEditor;
let argyle: FakeArgyle;
let page: Page;
beforeAll(async () => {
	fixture = await startBrowserFixture();
	({ editor, argyle } = fixture);
	({ page } = editor);
}, 180_000);
afterAll(async () => await fixture.stop(), 60_000);

/** A test that begins where the one before has ended. */
const step = (name: string, run: () => Promise<void>) =>
	it(name, async () => await fixture.step(name, run), STEP_TIMEOUT_MS);

/** From the first sign-in to a receipt, as a person who writes no code does it. */
describe("in n8n's editor, a person", () => {
	step('finds the Argyle node and the Argyle Trigger by searching for "argyle" or "payroll"', async () => {
		await editor.signIn(fixture.client.owner);
		for (const word of ['argyle', 'payroll']) {
			await editor.searchNodes(word);
			if (word === 'payroll') await takeScreenshot(page, 'node-creator', editor.nodePanelHead, editor.foundNode);
			await editor.foundNode.click();
			await editor.actionKinds.nth(1).waitFor();
			expect(await editor.actionKinds.allInnerTexts()).toEqual([expect.stringMatching(/^Triggers/), 'Actions (39)']);
			if (word === 'argyle') await editor.backToSearch();
		}
	});

	step('creates a credential, sees why a wrong API key fails, and connects with the right one', async () => {
		await editor.addNode('On user form submitted');
		await editor.createCredential();
		await editor.chooseEnvironment('Custom Base URL');
		await editor.fillCredential({ baseUrl: argyle.origin, apiKeyId: 'my-key', apiKeySecret: 'mistyped' });
		await editor.saveCredential();
		expect(await editor.credentialFailure()).toContain(
			'Argyle does not know this API key. Check API Key ID and API Key Secret',
		);

		const { id, secret } = argyle.key;
		await editor.fillCredential({ apiKeyId: id, apiKeySecret: secret });
		await editor.saveCredential();
		await editor.credentialDialog.waitFor({ state: 'hidden' });
		await editor.editCredential();
		await editor.credentialSuccess.waitFor();
		await takeScreenshot(page, 'credential', editor.credentialDialog);
		await editor.closeCredential();
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
		expect(await editor.fieldIssue()).toContain('Not an ID. One looks like 0187c66e-e7e5-811c-b006-2232f00f426a');
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
		await editor.openPicker();
		await editor.searchInPicker('joe');
		await until('only Joe is offered', 30_000, async () =>
			(await editor.pickerEntries.count()) === 1 ? true : undefined,
		);
		await takeScreenshotWithOverlays(page, 'pick-user', editor.credentialField, editor.lastField);
		await editor.pickerEntries.click();
		expect(await editor.pickedLabel()).toMatch(/^Joe Burnam · /);

		await editor.executeStep(joe);
		await editor.downloadButton.waitFor();
		await takeScreenshot(page, 'receipt', editor.outputFile);
		// n8n 2.41 does not display a PDF file, only offers it for download.
		const [download] = await Promise.all([page.waitForEvent('download'), editor.downloadButton.click()]);
		expect(download.suggestedFilename()).toBe('receipt.pdf');
		expect(readFileSync(await download.path())).toEqual(await argyle.receiptPdf(joe));
	});
});
