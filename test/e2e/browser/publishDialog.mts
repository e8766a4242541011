import type { Page } from 'playwright-core';
import { byTestId } from './elements.mts';

/** Publishes the workflow that is open. Returns its ID. */
export async function publishInEditor(page: Page): Promise<string> {
	await byTestId(page, 'workflow-open-publish-modal-button').click();
	await byTestId(page, 'workflow-publish-button').click();
	await byTestId(page, 'workflow-publish-button').waitFor({ state: 'hidden' });
	const [, id = ''] = /\/workflow\/([^/?]+)/.exec(page.url()) ?? [];
	return id;
}
