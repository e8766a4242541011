import type { Locator, Page } from 'playwright-core';
import { byTestId } from './elements.mts';

/** Page object of the parameters in the middle of a node's panel. */
export class ParameterForm {
	private readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	field(parameter: string): Locator {
		return byTestId(this.page, `parameter-input-${parameter}`);
	}

	async choose(parameter: string, option: string): Promise<void> {
		await this.field(parameter).click();
		await this.page.getByRole('option', { name: option }).click();
	}

	/** Of Edit Fields. */
	get fieldsToSet(): Locator {
		return byTestId(this.page, 'assignment-collection-drop-area');
	}
}
