import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/n8n/until.mts';

/** Takes what a person reads, letters and spaces; matches that and nothing longer. */
const exactly = (text: string) => new RegExp(`^\\s*${text}\\s*$`);

/** How long n8n's screens may take for anything. */
const PATIENCE_MS = 15_000;

/** n8n's screens: all that the suite knows of how they are built, and what a person does with them. */
export class N8nScreen {
	readonly page: Page;

	/** The workflow as n8n saved it last. */
	private lastSaved = '';

	constructor(page: Page) {
		this.page = page;
		page.setDefaultTimeout(PATIENCE_MS);
		page.on('response', (response) => {
			const isWorkflow = /\/rest\/workflows(\/[^/]+)?$/.test(response.url());
			const saved = isWorkflow && response.ok() ? response.request().postData() : null;
			if (saved !== null) this.lastSaved = saved;
		});
	}

	/** What carries n8n's own mark for tests, as far as it can be seen. */
	private part(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`).filter({ visible: true });
	}

	// The canvas, and the panel in which nodes are found.

	async signIn({ email, password }: { email: string; password: string }): Promise<void> {
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.part('form-submit-button').click();
		await this.part('canvas-add-button').waitFor();
	}

	/** Opens the panel of nodes when it isn't open, and looks for a word. */
	async searchNodes(word: string): Promise<void> {
		if ((await this.nodePanel.count()) === 0) await this.page.keyboard.press('n');
		await this.nodePanel.locator('input').fill(word);
		await this.foundNode.waitFor();
	}

	get nodePanel(): Locator {
		return this.part('node-creator');
	}

	get nodePanelHead(): Locator {
		return this.part('nodes-list-header');
	}

	/** The row of our two nodes, which n8n shows as one. */
	get foundNode(): Locator {
		return this.part('item-iterator-item').filter({ has: this.itemName('Argyle') });
	}

	/** The headings of what a node can do, such as "Actions (10)". */
	get actionKinds(): Locator {
		return this.part('node-creator-category-item');
	}

	/** The names of all that can be chosen in the panel. */
	get itemNames(): Locator {
		return this.part('node-creator-item-name');
	}

	private itemName(text: string): Locator {
		return this.itemNames.filter({ hasText: exactly(text) });
	}

	async backToSearch(): Promise<void> {
		await this.nodePanelHead.locator('button').first().click();
		await this.foundNode.waitFor();
	}

	/** Adds a node by what it is to do; its panel opens. */
	async addNode(action: string): Promise<void> {
		await this.itemName(action).click();
		await this.parameters.waitFor();
	}

	// A node's panel.

	get parameters(): Locator {
		return this.part('node-parameters');
	}

	get credentialField(): Locator {
		return this.part('node-credentials-slot');
	}

	get lastField(): Locator {
		return this.part('collection-parameter-add');
	}

	get output(): Locator {
		return this.part('output-panel');
	}

	get outputHead(): Locator {
		return this.output.getByText('Output', { exact: true });
	}

	/** One field of the output, shown as "Schema". */
	get outputFields(): Locator {
		return this.output.locator('[data-test-id="run-data-schema-item"]');
	}

	get outputFile(): Locator {
		return this.part('ndv-binary-data_0');
	}

	get outputData(): Locator {
		return this.output.locator('[data-test-id="ndv-data-container"]');
	}

	get errorMessage(): Locator {
		return this.output.locator('[data-test-id="node-error-message"]');
	}

	get errorDescription(): Locator {
		return this.output.locator('[data-test-id="node-error-description"]');
	}

	get downloadButton(): Locator {
		return this.part('ndv-download-binary-data');
	}

	/** Executes the node, once n8n has saved what was chosen in it: n8n 2.41.1 runs what is saved, and waits for no save to come. */
	async executeStep(chosen: string): Promise<void> {
		await until(`${chosen} is saved`, PATIENCE_MS, async () => (this.lastSaved.includes(chosen) ? true : undefined));
		await this.part('node-execute-button').click();
	}

	/** Executes a trigger; waits until n8n takes events, which is later than the trigger's registration. */
	async listen(chosen: string): Promise<void> {
		const listening = this.page.waitForResponse((response) => /\/workflows\/[^/]+\/run/.test(response.url()));
		await this.executeStep(chosen);
		await listening;
	}

	async closePanel(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.parameters.waitFor({ state: 'hidden' });
	}

	/** Shows the output as "Schema", "Table", "JSON" or "Binary". */
	async showOutputAs(view: string): Promise<void> {
		await this.output.locator(`[data-test-id="radio-button-${view.toLowerCase()}"]`).click();
	}

	// A field in which a record is picked.

	async openPicker(): Promise<void> {
		await this.part('rlc-input').click();
		await this.pickerEntries.first().waitFor();
	}

	get pickerEntries(): Locator {
		return this.part('rlc-item');
	}

	async searchInPicker(text: string): Promise<void> {
		await this.part('rlc-search').fill(text);
	}

	/** What the picker holds, as it is shown. */
	async pickedLabel(): Promise<string> {
		return await this.part('rlc-input').inputValue();
	}

	/** Chooses how the record is given: "From list" or "By ID". */
	async pickBy(way: string): Promise<void> {
		await this.part('rlc-mode-selector').click();
		await this.choice(way).click();
	}

	async enterById(id: string): Promise<void> {
		await this.pickBy('By ID');
		await this.part('rlc-input').fill(id);
		await this.part('rlc-input').blur();
	}

	/** What n8n has to say about a field, when the mouse is on its mark. */
	async fieldIssue(): Promise<string> {
		await this.part('parameter-issues').hover();
		const tooltip = this.part('tooltip-content').filter({ hasText: 'Issues' });
		return (await tooltip.first().innerText()).replace(/\s+/g, ' ');
	}

	/** What can be chosen in an open list; a description may follow its name. */
	private choice(name: string): Locator {
		return this.page
			.locator('.el-select-dropdown__item')
			.filter({ visible: true, hasText: new RegExp(`^\\s*${name}`) });
	}

	// A credential.

	get credentialDialog(): Locator {
		return this.part('editCredential-modal');
	}

	/** From the panel of a node for which there is no credential yet. */
	async createCredential(): Promise<void> {
		await this.part('node-credentials-slot').getByRole('button', { name: 'Connect to Argyle' }).click();
		await this.credentialDialog.waitFor();
	}

	/** From a node's panel. */
	async editCredential(): Promise<void> {
		await this.part('credential-edit-button').click();
		await this.credentialDialog.waitFor();
	}

	async closeCredential(): Promise<void> {
		await this.credentialDialog.getByLabel('Close this dialog').click();
		await this.credentialDialog.waitFor({ state: 'hidden' });
	}

	async fillCredential(fields: Record<string, string>): Promise<void> {
		for (const [name, text] of Object.entries(fields))
			await this.part(`parameter-input-${name}`).locator('input').fill(text);
	}

	async chooseEnvironment(name: string): Promise<void> {
		await this.part('parameter-input-environment').click();
		await this.choice(name).click();
	}

	async saveCredential(): Promise<void> {
		await this.part('credential-save-button').click();
	}

	/** Waits until n8n's test has failed; gives its words. */
	async credentialFailure(): Promise<string> {
		await this.credentialDialog.getByText('More details').click();
		return await this.credentialDialog.innerText();
	}

	get credentialSuccess(): Locator {
		return this.part('credentials-config-container-test-success');
	}
}
