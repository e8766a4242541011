import { setTimeout as wait } from 'node:timers/promises';
import {
	argyleTrigger,
	type CredentialRef,
	generateReceipt,
	inARow,
	n8nNode,
	type SavedNode,
} from '../../test/support/n8n/nodes.mts';
import type { N8nClient } from '../../test/support/n8n/client.mts';
import type { RunningN8n } from '../../test/support/n8n/process.mts';
import type { StoredWorkflow } from '../../test/support/n8n/workflow.mts';
import { step } from './output.mts';

const WORKFLOW_NAME = 'Form to receipt';
const POLL_EVERY_MS = 500;
const SILENT_AFTER_MS = 5_000;

/** The same in every demo, and so is the trigger's URL: a subscription that a crashed demo left at Argyle is reused. */
const TRIGGER_WEBHOOK_ID = '6f0c1c1e-6a2b-4d0e-9a55-1c8f5f6f2a10';

const CREDENTIAL_NAME = 'Argyle (demo)';

const noteWith = (pageAddress: string | undefined) => `## From a form to its receipt
Argyle tells this workflow of every submitted form, and it generates the receipt of the form's user.

Submit a form ${
	pageAddress === undefined
		? 'in Argyle Link'
		: `with the buttons of [the fake Argyle](${pageAddress}), whose address is in the terminal, too`
}, then look at **Executions** above.`;

/** Publishes the workflow of the last demo, or a new one. Without receipts, as in Sandbox, it ends with the event. */
export async function publishWorkflow(
	client: N8nClient,
	credentialData: Record<string, unknown>,
	hasReceipts: boolean,
	pageAddress: string | undefined,
): Promise<{ workflow: StoredWorkflow; isNew: boolean }> {
	// n8n ignores a filter by name.
	const listed = (await client.workflows({})).find(({ name }) => name === WORKFLOW_NAME);
	const existing = listed === undefined ? undefined : await client.workflow(listed.id);
	const credential = await client.storeCredential(CREDENTIAL_NAME, 'argyleApi', credentialData);
	const workflow = existing ?? (await createWorkflow(client, credential, hasReceipts, pageAddress));
	await client.publish(workflow);
	return { workflow, isNew: existing === undefined };
}

async function createWorkflow(
	client: N8nClient,
	credential: CredentialRef,
	hasReceipts: boolean,
	pageAddress: string | undefined,
): Promise<StoredWorkflow> {
	const last = hasReceipts
		? generateReceipt(credential, '={{ $json.data.user }}')
		: n8nNode('Receipts exist only in Production', 'noOp');
	const steps = [{ ...argyleTrigger(credential), webhookId: TRIGGER_WEBHOOK_ID }, last];
	const note: SavedNode = {
		...n8nNode('Note', 'stickyNote', { content: noteWith(pageAddress), height: 220, width: 420 }),
		position: [0, -260],
	};
	return await client.createWorkflow(WORKFLOW_NAME, [...steps, note], inARow(steps));
}

/** Prints how an execution ended. Returns the bytes of its receipt, undefined when it has none. */
export async function printExecution(client: N8nClient, id: string): Promise<Buffer | undefined> {
	const { status, output, error } = await client.execution(id);
	const file = output['Generate Receipt']?.[0]?.binary?.data;
	const bytes = file === undefined ? undefined : await client.binary(file);
	const result = bytes === undefined ? (error ?? '') : `${file?.fileName} (${file?.mimeType}, ${bytes.length} bytes)`;
	step(`Execution ${id}: ${status} ${result}`);
	return bytes;
}

/** Prints every execution that ends until `end`, also after n8n did not answer. Rejects when n8n has ended. */
export async function followExecutions(
	client: N8nClient,
	workflowId: string,
	n8n: Pick<RunningN8n, 'hasEnded'>,
	end: Promise<void>,
): Promise<void> {
	const printed = new Set((await client.executions(workflowId)).map(({ id }) => id));
	let isOver = false;
	void end.then(() => (isOver = true));
	let isSilent = false;
	const tellSilence = () => {
		if (!isSilent && !isOver) step('n8n does not answer');
		isSilent = true;
	};
	while (!isOver) {
		await wait(POLL_EVERY_MS);
		const late = setTimeout(tellSilence, SILENT_AFTER_MS);
		try {
			const ended = (await client.executions(workflowId)).filter(
				({ id, status }) => !printed.has(id) && !['new', 'running'].includes(status),
			);
			if (isSilent) step('n8n answers again');
			isSilent = false;
			for (const { id } of ended.reverse()) {
				await printExecution(client, id);
				printed.add(id);
			}
		} catch (error) {
			if (n8n.hasEnded) throw error;
			tellSilence();
		} finally {
			clearTimeout(late);
		}
	}
}
