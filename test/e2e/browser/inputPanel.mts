import type { Locator, Page } from 'playwright-core';
import { byTestId } from './elements.mts';

/** Page object of what the nodes before put out, at the left of a node's panel. */
export class InputPanel {
	private readonly page: Page;

	private readonly panel: Locator;

	constructor(page: Page) {
		this.page = page;
		this.panel = byTestId(page, 'ndv-input-panel');
	}

	head(node: string): Locator {
		return this.panel.locator('[data-test-id="run-data-schema-header"]').filter({ hasText: node });
	}

	/** Says that n8n only knows which fields the opened node usually puts out. */
	get previewNotice(): Locator {
		return this.panel.locator('[data-test-id="schema-preview-warning"]');
	}

	async fieldsOf(node: string): Promise<Locator> {
		await this.head(node).click();
		return this.panel.locator('[data-test-id="run-data-schema-item"]');
	}

	/** Drags a field onto a place where n8n accepts it. */
	async drag(field: string, target: Locator): Promise<void> {
		const names = this.panel.locator('[data-test-id="run-data-schema-node-name"]');
		await names.filter({ hasText: new RegExp(`^\\s*${field}\\s*$`) }).hover();
		await this.page.mouse.down();
		await target.hover();
		await this.page.mouse.up();
	}
}
