import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson, type Json } from '../json.mts';
import { root } from '../paths.mts';
import type { N8nClient, StoredWorkflow } from './client.mts';
import type { CredentialRef } from './nodes.mts';

const FOLDER = join(root, 'examples');

/** The credentials that the examples' nodes use, by type. */
export type ExampleCredentials = Record<'argyleApi' | 'smtp', CredentialRef>;

interface Example {
	file: string;
	name: string;
	nodes: Json[];
	connections: Json;
	pinData: unknown;
}

export function readExamples(): Example[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => {
			const { name, nodes, connections, pinData }: Json = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
			if (!Array.isArray(nodes) || !isJson(connections)) throw new Error(`${file} is no workflow`);
			return { file, name: String(name), nodes: nodes.filter(isJson), connections, pinData };
		});
}

/** Imports an example as the editor does, with its credentials chosen; `changes` are those of nodes, by name. */
export async function importExample(
	client: N8nClient,
	credentials: ExampleCredentials,
	file: string,
	changes: Record<string, Json> = {},
): Promise<StoredWorkflow> {
	const example = readExamples().find((each) => each.file === file);
	if (example === undefined) throw new Error(`There is no example ${file}`);
	const nodes = example.nodes.map((node) => {
		const { [String(node.name)]: change = {} } = changes;
		const changed = { ...node, ...change, parameters: { ...parametersOf(node), ...parametersOf(change) } };
		// For each node with a webhook; newer versions of n8n would do it themselves.
		return { ...changed, webhookId: randomUUID(), ...credentialsFor(String(node.type), credentials) };
	});
	return await client.createWorkflow(example.name, nodes, example.connections);
}

const parametersOf = ({ parameters }: Json) => (isJson(parameters) ? parameters : {});

function credentialsFor(type: string, { argyleApi, smtp }: ExampleCredentials): Json {
	if (type.startsWith('n8n-nodes-argyle.')) return { credentials: { argyleApi } };
	return type === 'n8n-nodes-base.emailSend' ? { credentials: { smtp } } : {};
}
