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
import { type DemoPage, MAIL_CREDENTIAL_NAME } from './page.mts';

const WORKFLOW_NAME = 'Form to receipt';
const POLL_EVERY_MS = 500;
const SILENT_AFTER_MS = 5_000;

/** The same in every demo, and so is the trigger's URL: a subscription that a crashed demo left at Argyle is reused. */
const TRIGGER_WEBHOOK_ID = '6f0c1c1e-6a2b-4d0e-9a55-1c8f5f6f2a10';

const CREDENTIAL_NAME = 'Argyle (demo)';

const noteWith = (page: DemoPage | undefined) => `## From a form to its receipt
Argyle tells this workflow of every submitted form, and it generates the receipt of the form's user.

${
	page === undefined
		? 'Submit a form in Argyle Link'
		: `Submit a form on [the page of the fake Argyle](${page.address}), where the mail with the receipt comes`
}, then look at **Executions** above.`;

/** Sends the receipt to the page of the demo. */
async function mailReceipt(client: N8nClient, { mailCredential }: DemoPage): Promise<SavedNode> {
	const who = "$('Argyle Trigger').item.json.user";
	const mail = {
		...{ fromEmail: 'n8n@example.com', toEmail: 'team@example.com', emailFormat: 'text' },
		subject: `=Argyle receipt of {{ [${who}.first_name, ${who}.last_name].filter(Boolean).join(' ') || ${who}.external_id }}`,
		text: 'The receipt is attached.',
		options: { appendAttribution: false, fileAttachments: 'data' },
	};
	const smtp = await client.storeCredential(MAIL_CREDENTIAL_NAME, 'smtp', mailCredential);
	return { ...n8nNode('E-Mail the Receipt', 'emailSend', mail, 2.1), position: [660, 0], credentials: { smtp } };
}

/** Publishes the workflow of the last demo, or a new one. Without receipts, as in Sandbox, it ends with the event. */
export async function publishWorkflow(
	client: N8nClient,
	credentialData: Record<string, unknown>,
	hasReceipts: boolean,
	page: DemoPage | undefined,
): Promise<{ workflow: StoredWorkflow; isNew: boolean }> {
	// n8n ignores a filter by name.
	const listed = (await client.workflows({})).find(({ name }) => name === WORKFLOW_NAME);
	const existing = listed === undefined ? undefined : await client.workflow(listed.id);
	const credential = await client.storeCredential(CREDENTIAL_NAME, 'argyleApi', credentialData);
	const mail = page && (await mailReceipt(client, page));
	const workflow = existing ?? (await createWorkflow(client, credential, hasReceipts, page, mail));
	await client.publish(workflow);
	return { workflow, isNew: existing === undefined };
}

async function createWorkflow(
	client: N8nClient,
	credential: CredentialRef,
	hasReceipts: boolean,
	page: DemoPage | undefined,
	mail: SavedNode | undefined,
): Promise<StoredWorkflow> {
	const last = hasReceipts
		? generateReceipt(credential, '={{ $json.data.user }}')
		: n8nNode('Receipts exist only in Production', 'noOp');
	const trigger = argyleTrigger(credential, { options: { includeUser: true } }, { webhookId: TRIGGER_WEBHOOK_ID });
	const steps = [trigger, last, ...(mail ? [mail] : [])];
	const note: SavedNode = {
		...n8nNode('Note', 'stickyNote', { content: noteWith(page), height: 220, width: 420 }),
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
