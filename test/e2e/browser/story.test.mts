import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { until } from '../../support/n8n/until.mts';
import type { N8nScreen } from './n8nScreen.mts';
import { takePicture, takePictureAsIs } from './pictures.mts';
import { type BrowserFixture, startBrowserFixture } from './browserFixture.mts';

const UNKNOWN_USER = '00000000-0000-4000-8000-000000000000';
const STEP_MS = 120_000;

let stage: BrowserFixture;
let screen: N8nScreen;
let page: Page;
beforeAll(async () => {
	stage = await startBrowserFixture();
	({ screen } = stage);
	({ page } = screen);
}, 180_000);
afterAll(async () => await stage.stop(), 60_000);

/** One step of the story; each begins where the one before has ended. */
const step = (name: string, act: () => Promise<void>) => it(name, async () => await stage.step(name, act), STEP_MS);

/** A person who doesn't write code, from the first sign-in to a receipt. */
describe('a person without code', () => {
	step('signs in, and finds both nodes by "argyle" and by "payroll"', async () => {
		await screen.signIn(stage.client.owner);
		for (const word of ['argyle', 'payroll']) {
			await screen.searchNodes(word);
			if (word === 'payroll') await takePicture(page, 'node-creator', screen.nodePanelHead, screen.foundNode);
			await screen.foundNode.click();
			await screen.actionKinds.nth(1).waitFor();
			expect(await screen.actionKinds.allInnerTexts()).toEqual([expect.stringMatching(/^Triggers/), 'Actions (10)']);
			if (word === 'argyle') await screen.backToSearch();
		}
	});

	step('adds the trigger and a credential: a wrong key is refused in words, the right one connects', async () => {
		await screen.addNode('On user form submitted');
		await screen.createCredential();
		await screen.chooseEnvironment('Custom Base URL');
		await screen.fillCredential({ baseUrl: stage.service.origin, apiKeyId: 'my-key', apiKeySecret: 'mistyped' });
		await screen.saveCredential();
		expect(await screen.credentialFailure()).toContain(
			'Argyle does not know this API key. Check API Key ID and API Key Secret',
		);

		const { id, secret } = stage.service.key;
		await screen.fillCredential({ apiKeyId: id, apiKeySecret: secret });
		await screen.saveCredential();
		await screen.credentialDialog.waitFor({ state: 'hidden' });
		await screen.editCredential();
		await screen.credentialSuccess.waitFor();
		await takePicture(page, 'credential', screen.credentialDialog);
		await screen.closeCredential();
	});

	step('sees what the trigger does, in light and dark', async () => {
		for (const [colorScheme, name] of [
			['dark', 'trigger-dark'],
			['light', 'trigger'],
		] as const) {
			await page.emulateMedia({ colorScheme });
			await takePicture(page, name, screen.credentialField, screen.lastField);
		}
	});

	step('listens for a test event, and sees it', async () => {
		await screen.listen('Argyle account');
		const { form, user } = await stage.service.submitForm();
		await screen.outputData.filter({ hasText: form.id }).waitFor();
		const shown = await screen.outputData.innerText();
		expect(shown).toContain('user_forms.submitted');
		expect(shown).toContain(user);
		await screen.showOutputAs('Schema');
		await takePicture(page, 'test-event', screen.outputHead, screen.outputFields.first(), screen.outputFields.last());
		await screen.closePanel();
	});

	step('adds Generate Receipt, and picks the user by name; By ID refuses a wrong ID before anything runs', async () => {
		await screen.searchNodes('argyle');
		await screen.foundNode.click();
		await takePicture(page, 'actions', screen.nodePanelHead, screen.actionKinds.last());
		await screen.addNode('Generate a receipt');
		await screen.enterById('12345');
		expect(await screen.fieldIssue()).toContain('Not an ID. One looks like 0187c66e-e7e5-811c-b006-2232f00f426a');
	});

	step('reads an error in words', async () => {
		await screen.enterById(UNKNOWN_USER);
		await screen.executeStep(UNKNOWN_USER);
		await screen.errorMessage.waitFor();
		expect(await screen.errorMessage.innerText()).toContain(`Argyle could not find the user ${UNKNOWN_USER}`);
		expect(await screen.errorDescription.innerText()).toContain('Check the ID.');
		expect(await screen.output.innerText()).not.toMatch(/\n\s+at |\.js:\d/);
		await takePicture(page, 'error', screen.outputHead, screen.errorMessage, screen.errorDescription);
	});

	step('generates the receipt, and gets the file', async () => {
		const [, , joe = ''] = stage.service.users.keys();
		await screen.enterById('');
		await screen.pickBy('From list');
		await screen.openPicker();
		await screen.searchInPicker('joe');
		await until('only Joe is offered', 30_000, async () =>
			(await screen.pickerEntries.count()) === 1 ? true : undefined,
		);
		await takePictureAsIs(page, 'pick-user', screen.credentialField, screen.lastField);
		await screen.pickerEntries.click();
		expect(await screen.pickedLabel()).toMatch(/^Joe Burnam · /);

		await screen.executeStep(joe);
		await screen.downloadButton.waitFor();
		await takePicture(page, 'receipt', screen.outputFile);
		// n8n 2.41 shows no PDF itself: it offers it for download only.
		const [download] = await Promise.all([page.waitForEvent('download'), screen.downloadButton.click()]);
		expect(download.suggestedFilename()).toBe('receipt.pdf');
		expect(readFileSync(await download.path())).toEqual(await stage.service.receiptPdf(joe));
	});
});
