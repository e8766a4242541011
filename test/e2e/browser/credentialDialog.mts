import type { Locator, Page } from 'playwright-core';
import { byTestId, choice } from './elements.mts';

/** Page object of the dialog in which a credential is entered. */
export class CredentialDialog {
	private readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	get dialog(): Locator {
		return byTestId(this.page, 'editCredential-modal');
	}

	/** In the panel of a node, when there is no credential of its type yet. */
	async create(): Promise<void> {
		await byTestId(this.page, 'node-credentials-slot').getByRole('button', { name: 'Connect to Argyle' }).click();
		await this.dialog.waitFor();
	}

	async edit(): Promise<void> {
		await byTestId(this.page, 'credential-edit-button').click();
		await this.dialog.waitFor();
	}

	async close(): Promise<void> {
		await this.dialog.getByLabel('Close this dialog').click();
		await this.dialog.waitFor({ state: 'hidden' });
	}

	async fill(fields: Record<string, string>): Promise<void> {
		for (const [name, text] of Object.entries(fields))
			await byTestId(this.page, `parameter-input-${name}`).locator('input').fill(text);
	}

	async chooseEnvironment(name: string): Promise<void> {
		await byTestId(this.page, 'parameter-input-environment').click();
		await choice(this.page, name).click();
	}

	async save(): Promise<void> {
		await byTestId(this.page, 'credential-save-button').click();
	}

	/** Waits until the test of the credential has failed. */
	async failure(): Promise<string> {
		await this.dialog.getByText('More details').click();
		return await this.dialog.innerText();
	}

	get success(): Locator {
		return byTestId(this.page, 'credentials-config-container-test-success');
	}
}
