import { randomUUID } from 'node:crypto';

/** A credential as a node refers to it. */
export interface CredentialRef {
	id: string;
	name: string;
}

/** A node as the editor saves it. */
export interface SavedNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, CredentialRef>;
	webhookId?: string;
	onError?: string;
}

/** An Argyle Trigger; its webhook ID, which the editor makes up for each trigger, is part of its URL. */
export function argyleTrigger(
	credential: CredentialRef,
	parameters: Record<string, unknown> = {},
	more: Partial<SavedNode> = {},
): SavedNode {
	return {
		id: randomUUID(),
		name: 'Argyle Trigger',
		type: 'n8n-nodes-argyle.argyleTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: { events: ['user_forms.submitted'], options: {}, ...parameters },
		credentials: { argyleApi: credential },
		webhookId: randomUUID(),
		...more,
	};
}

export function argyleNode(
	credential: CredentialRef,
	parameters: Record<string, unknown>,
	more: Partial<SavedNode> = {},
): SavedNode {
	return {
		id: randomUUID(),
		name: 'Argyle',
		type: 'n8n-nodes-argyle.argyle',
		typeVersion: 1,
		position: [440, 0],
		parameters,
		credentials: { argyleApi: credential },
		...more,
	};
}

/** A node that generates the receipt of a user, given by ID or expression. */
export function generateReceipt(credential: CredentialRef, user: string, more: Partial<SavedNode> = {}): SavedNode {
	const userId = { __rl: true, mode: 'id', value: user };
	return argyleNode(
		credential,
		{ resource: 'receipt', operation: 'generate', userId, binaryPropertyName: 'data', options: {} },
		{ name: 'Generate Receipt', ...more },
	);
}

/** One of n8n's own nodes. */
export function n8nNode(
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	typeVersion = 1,
): SavedNode {
	return { id: randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion, position: [220, 0], parameters };
}

/** The connections of a workflow in which each node follows the one before. */
export function inARow(nodes: SavedNode[]): Record<string, unknown> {
	const pairs = nodes
		.slice(1)
		.map((node, index) => [nodes[index]?.name ?? '', { main: [[{ node: node.name, type: 'main', index: 0 }]] }]);
	return Object.fromEntries(pairs);
}
