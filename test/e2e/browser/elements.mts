import type { Locator, Page } from 'playwright-core';

export function byTestId(page: Page, id: string): Locator {
	return page.locator(`[data-test-id="${id}"]`).filter({ visible: true });
}

export function choice(page: Page, name: string): Locator {
	return page.locator('.el-select-dropdown__item').filter({ visible: true, hasText: new RegExp(`^\\s*${name}`) });
}
