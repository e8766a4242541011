import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/n8n/until.mts';
import { CredentialDialog } from './credentialDialog.mts';
import { byTestId, choice } from './elements.mts';
import { InputPanel } from './inputPanel.mts';

/** Matches this text as a whole. */
const exactly = (text: string) => new RegExp(`^\\s*${text.replace(/[()]/g, '\\$&')}\\s*$`);

const TIMEOUT_MS = 60_000;

/** Page object of n8n's editor: the only place, with those of its parts, that knows its elements. */
export class N8nEditor {
	readonly page: Page;

	readonly credential: CredentialDialog;

	readonly input: InputPanel;

	/** The body of the request that saved the workflow last. */
	private lastSaved = '';

	constructor(page: Page) {
		this.page = page;
		this.credential = new CredentialDialog(page);
		this.input = new InputPanel(page);
		page.setDefaultTimeout(TIMEOUT_MS);
		page.on('response', (response) => {
			const isWorkflow = /\/rest\/workflows(\/[^/]+)?$/.test(response.url());
			const saved = isWorkflow && response.ok() ? response.request().postData() : null;
			if (saved !== null) this.lastSaved = saved;
		});
	}

	private byTestId(id: string): Locator {
		return byTestId(this.page, id);
	}

	// The canvas, and the panel of nodes.

	async signIn({ email, password }: { email: string; password: string }): Promise<void> {
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.byTestId('form-submit-button').click();
		await this.byTestId('canvas-add-button').waitFor();
	}

	async startNewWorkflow(): Promise<void> {
		await this.byTestId('universal-add').click();
		await this.page.getByRole('menuitem', { name: 'Workflow' }).click();
		await this.byTestId('canvas-add-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(new URL(`/workflow/${id}`, this.page.url()).href);
	}

	nodeOnCanvas(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	labelOnCanvas(name: string): Locator {
		return this.nodeOnCanvas(name).getByText(name, { exact: true }).locator('..');
	}

	get nodeIssues(): Locator {
		return this.byTestId('node-issues');
	}

	/** Of each note: how large its text is on the screen, and how much room there is below it, both in pixels. */
	async noteTexts(): Promise<Array<{ size: number; room: number }>> {
		return await this.byTestId('sticky').evaluateAll((notes) =>
			notes.map((note) => {
				const [paragraph] = note.querySelectorAll('p');
				const last = paragraph?.parentElement?.lastElementChild;
				if (paragraph === undefined || !last) throw new Error('The note has no text');
				const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;
				const zoom = paragraph.getBoundingClientRect().width / paragraph.offsetWidth;
				const size = Number.parseFloat(getComputedStyle(paragraph).fontSize) * zoom;
				return { size, room: bottomOf(note) - bottomOf(last) };
			}),
		);
	}

	async fitCanvas(): Promise<void> {
		await this.page.keyboard.press('1');
	}

	async openNode(name: string): Promise<void> {
		await this.nodeOnCanvas(name).dblclick();
		await this.parameters.waitFor();
	}

	/** Searches the panel of nodes, which is opened if necessary. */
	async searchNodes(word: string, found = 'Argyle'): Promise<void> {
		if ((await this.nodePanel.count()) === 0) await this.page.keyboard.press('n');
		await this.nodePanel.locator('input').fill(word);
		await this.itemName(found).waitFor();
	}

	get nodePanel(): Locator {
		return this.byTestId('node-creator');
	}

	get nodePanelHead(): Locator {
		return this.byTestId('nodes-list-header');
	}

	/** The entry of the Argyle node and the Argyle Trigger, which n8n shows as one. */
	get foundNode(): Locator {
		return this.byTestId('item-iterator-item').filter({ has: this.itemName('Argyle') });
	}

	/** The headings above a node's triggers and actions, such as "Actions (39)". */
	get actionKinds(): Locator {
		return this.byTestId('node-creator-category-item');
	}

	get itemNames(): Locator {
		return this.byTestId('node-creator-item-name');
	}

	private itemName(text: string): Locator {
		return this.itemNames.filter({ hasText: exactly(text) });
	}

	async backToSearch(): Promise<void> {
		await this.nodePanelHead.locator('button').first().click();
		await this.foundNode.waitFor();
	}

	async addNode(action: string): Promise<void> {
		await this.itemName(action).click();
		await this.parameters.waitFor();
	}

	subtitle(text: string): Locator {
		return this.byTestId('canvas-node').getByText(text, { exact: true });
	}

	// A node's panel.

	get parameters(): Locator {
		return this.byTestId('node-parameters');
	}

	get credentialField(): Locator {
		return this.byTestId('node-credentials-slot');
	}

	get lastField(): Locator {
		return this.byTestId('collection-parameter-add');
	}

	get output(): Locator {
		return this.byTestId('output-panel');
	}

	get outputHead(): Locator {
		return this.output.getByText('Output', { exact: true });
	}

	/** The fields of the output, when it is shown as "Schema". */
	get outputFields(): Locator {
		return this.output.locator('[data-test-id="run-data-schema-item"]');
	}

	/** Drags the node's parameters to the left, as far as they go. */
	async widenOutput(): Promise<void> {
		await this.byTestId('panel-drag-button').hover();
		await this.page.mouse.down();
		await this.page.mouse.move(0, 0, { steps: 5 });
		await this.page.mouse.up();
	}

	/** The rows of the output, when it is shown as "Table". */
	get outputRows(): Locator {
		return this.outputData.locator('table tbody tr');
	}

	async lastOutputCell(): Promise<Locator> {
		const cell = this.outputRows.last().locator('td:not(:empty)').last();
		await cell.scrollIntoViewIfNeeded();
		return cell;
	}

	get outputFile(): Locator {
		return this.byTestId('ndv-binary-data_0');
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
		return this.byTestId('ndv-download-binary-data');
	}

	/** n8n saves a workflow by itself, seconds after a change. */
	async untilSaved(text: string): Promise<void> {
		await until(`${text} is saved`, TIMEOUT_MS, async () => (this.lastSaved.includes(text) ? true : undefined));
	}

	/** Executes the node when `text` is saved: n8n 2.41.1 runs what is saved, and does not wait for a pending save. */
	async executeStep(text: string): Promise<void> {
		await this.untilSaved(text);
		await this.byTestId('node-execute-button').click();
	}

	/** Executes a trigger and waits until n8n accepts events, which is later than the trigger's registration. */
	async listen(text: string): Promise<void> {
		const listening = this.page.waitForResponse((response) => /\/workflows\/[^/]+\/run/.test(response.url()));
		await this.executeStep(text);
		await listening;
	}

	async closePanel(): Promise<void> {
		await this.byTestId('ndv-close-button').click();
		await this.parameters.waitFor({ state: 'hidden' });
	}

	/** Shows the output as "Schema", "Table", "JSON" or "Binary". */
	async showOutputAs(view: string): Promise<void> {
		await this.output.locator(`[data-test-id="radio-button-${view.toLowerCase()}"]`).click();
	}

	async addFilter(name: string): Promise<void> {
		await this.lastField.first().click();
		await choice(this.page, name).click();
	}

	// A resource locator.

	get resourceLocator(): Locator {
		return this.byTestId('rlc-input');
	}

	async openPicker(): Promise<void> {
		await this.resourceLocator.click();
		await this.pickerEntries.first().waitFor();
	}

	get pickerEntries(): Locator {
		return this.byTestId('rlc-item');
	}

	async searchInPicker(text: string): Promise<void> {
		await this.byTestId('rlc-search').fill(text);
	}

	async pickedLabel(): Promise<string> {
		return await this.resourceLocator.inputValue();
	}

	/** Chooses the mode: "From list" or "By ID". */
	async pickBy(mode: string): Promise<void> {
		await this.byTestId('rlc-mode-selector').click();
		await choice(this.page, mode).click();
	}

	async enterById(id: string): Promise<void> {
		await this.pickBy('By ID');
		await this.resourceLocator.fill(id);
		await this.resourceLocator.blur();
	}

	/** The tooltip of the icon at a field with issues. */
	async fieldIssue(): Promise<string> {
		await this.byTestId('parameter-issues').hover();
		const tooltip = this.byTestId('tooltip-content').filter({ hasText: 'Issues' });
		return (await tooltip.first().innerText()).replace(/\s+/g, ' ');
	}
}
