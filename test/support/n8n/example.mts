import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson, type Json } from '../json.mts';
import { root } from '../paths.mts';
import type { N8nClient } from './client.mts';
import type { StoredWorkflow } from './workflow.mts';
import type { FullExecution } from './execution.mts';
import { type CredentialRef, n8nNode, type SavedNode } from './nodes.mts';
import { until } from './until.mts';

const FOLDER = join(root, 'examples');

/** The type of the credential that a node of an example takes, by the node's type. */
const CREDENTIAL_TYPES = {
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'n8n-nodes-argyle.argyle': 'argyleApi',
	'n8n-nodes-argyle.argyleTool': 'argyleApi',
	'n8n-nodes-argyle.argyleTrigger': 'argyleApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'n8n-nodes-base.googleDrive': 'googleDriveOAuth2Api',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.slack': 'slackApi',
} as const;

type CredentialType = (typeof CREDENTIAL_TYPES)[keyof typeof CREDENTIAL_TYPES];

/** The credentials that an example's nodes use, by type. */
export type ExampleCredentials = { argyleApi: CredentialRef } & Partial<Record<CredentialType, CredentialRef>>;

interface Example {
	file: string;
	name: string;
	nodes: Json[];
	connections: Json;
	/** The samples that are pinned to nodes, by the node's name. */
	pinData: Json;
}

export function readExamples(): Example[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => {
			const { name, nodes, connections, pinData }: Json = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
			if (!Array.isArray(nodes) || !isJson(connections) || !isJson(pinData)) throw new Error(`${file} is no workflow`);
			return { file, name: String(name), nodes: nodes.filter(isJson), connections, pinData };
		});
}

/**
 * Imports an example as the editor does, with its credentials chosen. `changes` are those of nodes, by name, and
 * `samples` are pinned in place of the example's own.
 */
export async function importExample(
	client: N8nClient,
	credentials: ExampleCredentials,
	file: string,
	changes: Record<string, Json> = {},
	samples?: Json,
): Promise<StoredWorkflow> {
	const example = readExamples().find((each) => each.file === file);
	if (example === undefined) throw new Error(`There is no example ${file}`);
	const nodes = example.nodes.map((node): Json => {
		const { [String(node.name)]: change = {} } = changes;
		const changed = { ...node, ...change, parameters: { ...parametersOf(node), ...parametersOf(change) } };
		// For each node with a webhook; newer versions of n8n would do it themselves.
		return { webhookId: randomUUID(), ...changed, ...credentialsFor(String(node.type), credentials) };
	});
	return await client.createWorkflow(example.name, nodes, example.connections, samples ?? example.pinData);
}

const parametersOf = ({ parameters }: Json) => (isJson(parameters) ? parameters : {});

const takesCredential = (type: string): type is keyof typeof CREDENTIAL_TYPES => Object.hasOwn(CREDENTIAL_TYPES, type);

function credentialsFor(type: string, credentials: ExampleCredentials): Json {
	if (!takesCredential(type)) return {};
	const credentialType = CREDENTIAL_TYPES[type];
	return { credentials: { [credentialType]: credentials[credentialType] } };
}

/** Runs a published workflow once by what starts it, then unpublishes it. */
export async function runPublished(
	client: N8nClient,
	workflow: StoredWorkflow,
	start: () => Promise<unknown>,
): Promise<FullExecution> {
	await client.publish(workflow);
	await start();
	const [listed] = await client.waitForExecutions(workflow.id, 1);
	await client.unpublish(workflow.id);
	return await client.execution(listed?.id ?? '');
}

export async function runByHand(
	client: N8nClient,
	workflow: StoredWorkflow,
	startNode: string,
	deadlineMs = 30_000,
): Promise<FullExecution> {
	const id = await client.run(workflow.id, startNode);
	return await until('the execution has ended', deadlineMs, async () => {
		const execution = await client.execution(id ?? '');
		return ['new', 'running'].includes(execution.status) ? undefined : execution;
	});
}

/** Runs nodes behind a node "Start" by hand, in a row unless `connections` lead elsewhere. */
export async function runNodes(
	client: N8nClient,
	name: string,
	nodes: SavedNode[],
	connections?: Json,
): Promise<FullExecution> {
	const all = [n8nNode('Start', 'manualTrigger'), ...nodes];
	const workflow = await client.createWorkflow(name, all, connections);
	return await runByHand(client, workflow, 'Start', 120_000);
}

/** As *Retry with original workflow* in the list of executions: from the node that failed. */
export async function retryExecution(client: N8nClient, id: string): Promise<FullExecution> {
	const retried = await client.call('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	if (!isJson(retried)) throw new Error(`The execution ${id} was not retried`);
	return await client.execution(String(retried.id));
}
