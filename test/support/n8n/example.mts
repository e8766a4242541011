import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson, type Json } from '../json.mts';
import type { StoredWorkflow } from './client.mts';
import { root } from '../paths.mts';
import type { E2eFixture } from './stage.mts';

const FOLDER = join(root, 'examples');

/** A workflow as it stands in a file. */
export interface Example {
	file: string;
	name: string;
	nodes: Json[];
	connections: Json;
	pinData: unknown;
}

/** Gives all workflows of `examples/`. */
export function readExamples(): Example[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => {
			const { name, nodes, connections, pinData }: Json = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
			if (!Array.isArray(nodes) || !isJson(connections)) throw new Error(`${file} is no workflow`);
			return { file, name: String(name), nodes: nodes.filter(isJson), connections, pinData };
		});
}

/**
 * Imports an example as n8n's screen does, after a person has chosen the credentials and changed what `change` gives for a
 * node's name.
 */
export async function importExample(
	{ client, credential }: E2eFixture,
	file: string,
	smtp: { id: string; name: string },
	change: Record<string, Json> = {},
): Promise<StoredWorkflow> {
	const example = readExamples().find((each) => each.file === file);
	if (example === undefined) throw new Error(`There is no example ${file}`);
	const nodes = example.nodes.map((node) => {
		const { [String(node.name)]: changes = {} } = change;
		const changed = { ...node, ...changes, parameters: { ...parametersOf(node), ...parametersOf(changes) } };
		return { ...changed, ...credentialsFor(String(node.type), { argyleApi: credential, smtp }) };
	});
	return await client.createWorkflow(example.name, nodes, example.connections);
}

const parametersOf = ({ parameters }: Json) => (isJson(parameters) ? parameters : {});

function credentialsFor(type: string, { argyleApi, smtp }: Record<'argyleApi' | 'smtp', unknown>): Json {
	if (type.startsWith('n8n-nodes-argyle.')) return { credentials: { argyleApi } };
	return type === 'n8n-nodes-base.emailSend' ? { credentials: { smtp } } : {};
}
