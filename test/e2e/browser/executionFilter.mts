import { credentialFor } from '../../support/fakeArgyle/credential.mts';
import { isJson } from '../../support/json.mts';
import { argyleTrigger, n8nNode } from '../../support/n8n/nodes.mts';
import { until } from '../../support/n8n/until.mts';
import type { BrowserFixture } from './browserFixture.mts';
import { byTestId } from './elements.mts';
import { takeScreenshot } from './screenshots.mts';

const FORMS = 3;
const DEADLINE_MS = 60_000;

/** n8n filters by highlighted data where it is licensed, or says to be in tests of its own. */
export const E2E_TESTS_OF_N8N = { E2E_TESTS: 'true' };
const FILTER_LICENSE = { feature: 'feat:advancedExecutionFilters', enabled: true };

/** Finds the execution of one form by its user's ID, and by its own. */
export async function findExecutions({ argyle, client, editor: { page } }: BrowserFixture): Promise<void> {
	await client.call('PATCH', '/e2e/feature', FILTER_LICENSE);
	const credential = await client.createCredential('Argyle of the filter', 'argyleApi', credentialFor(argyle));
	const trigger = argyleTrigger(credential, { receiveBy: 'polling' });
	const workflow = await client.publishNew('Forms', [trigger, n8nNode('Done', 'noOp')]);
	for (const user of [...argyle.users.keys()].slice(0, FORMS))
		argyle.storeForm({ user, createdAt: new Date(Date.now() + 1_000).toISOString() });
	const ended = await client.waitForExecutions(workflow.id, FORMS);
	const executions = await Promise.all(ended.map(async ({ id }) => await client.execution(id)));
	await client.unpublish(workflow.id);

	const listed = byTestId(page, 'current-executions-list').locator('[data-test-id^=execution-details-]');
	const isListed = async (ids: string[]) => {
		const found = await listed.evaluateAll((entries) => entries.map((entry) => entry.getAttribute('data-test-id')));
		return found.join() === ids.map((id) => `execution-details-${id}`).join() ? true : undefined;
	};
	const filter = byTestId(page, 'executions-filter-button');
	await page.goto(new URL(`/workflow/${workflow.id}/executions`, page.url()).href);
	const allListed = async () => await isListed(executions.map(({ id }) => id));
	await until('all are listed', DEADLINE_MS, allListed);
	await filter.click();
	// n8n has opened the latest one, and lists what is open whatever the filter says.
	const { id = '', customData } = executions[0] ?? {};
	for (const key of ['argyle_user', 'argyle_user_form']) {
		await byTestId(page, 'execution-filter-saved-data-key-input').fill(key);
		const value = isJson(customData) ? String(customData[key]) : '';
		await byTestId(page, 'execution-filter-saved-data-value-input').fill(value);
		await until(`the one with this ${key} is listed`, DEADLINE_MS, async () => await isListed([id]));
		if (key === 'argyle_user_form') break;
		await byTestId(page, 'executions-filter-reset-button').click();
		await until('all are listed again', DEADLINE_MS, allListed);
	}
	await takeScreenshot(page, 'executions', filter, listed, byTestId(page, 'execution-filter-form'));
}
