import { freePort } from '../../test/support/n8n/process.mts';
import type { N8nClient } from '../../test/support/n8n/client.mts';
import { type FakeArgyle, startFakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import { print, step } from './output.mts';
import type { DemoPage } from './page.mts';
import { printExecution } from './workflow.mts';

const PREFERRED_PORT = 4010;

/** Starts the fake Argyle on the first free port from 4010. */
export async function startArgyle(): Promise<FakeArgyle> {
	const argyle = await startFakeArgyle({ port: await freePort(PREFERRED_PORT) });
	step(`The fake Argyle runs at ${argyle.origin}`);
	return argyle;
}

export function printPage({ address }: DemoPage): void {
	print(`Argyle    ${address}  (let things happen there, and read the e-mails that n8n sent)`);
}

/** Prints what a person enters into a credential of their own. */
export function printCredential({ origin, key }: FakeArgyle): void {
	print('Try the credential with');
	print(`          Environment Custom Base URL, Base URL ${origin}`);
	print(`          API Key ID ${key.id}, API Key Secret ${key.secret}`);
}

/**
 * Submits a form without being asked, so that subscription, delivery, execution and receipt are seen at once. Rejects
 * unless the receipt is the fake Argyle's, byte for byte.
 */
export async function submitFirstForm(argyle: FakeArgyle, client: N8nClient, workflowId: string): Promise<void> {
	for (const { id, name, url, events } of argyle.subscriptions.values()) {
		step(`Subscription ${id} "${name}" for ${events.join(', ')} is registered, to ${url}`);
	}
	const before = (await client.executions(workflowId)).length;
	const { form, user, attempts } = await argyle.submitForm();
	const answers = attempts.map(({ status, body }) => `${status} ${body}`).join(', ');
	step(`User form ${form.id} submitted; its signed delivery was answered ${answers}`);
	const [latest] = await client.waitForExecutions(workflowId, before + 1);
	const receipt = await printExecution(client, latest?.id ?? '');
	const expected = await argyle.receiptPdf(user);
	if (receipt === undefined || !receipt.equals(expected))
		throw new Error('The execution did not end with the receipt that the fake Argyle made');
	step(`These are the ${expected.length} bytes that the fake Argyle made, byte for byte`);
}
