import { randomUUID } from 'node:crypto';

export interface CredentialRef {
	id: string;
	name: string;
}

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
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
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

export const THREE_ADDRESSES = ['one@example.com', 'two@example.com', 'three@example.com'];

/** Nodes that invite three people, and that n8n repeats when one of them fails. */
export function inviteThree(credential: CredentialRef): SavedNode[] {
	const jsCode = `return ${JSON.stringify(THREE_ADDRESSES)}.map((email) => ({ json: { email } }));`;
	const invite = {
		...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: '={{ $execution.id }}' },
		...{ sendBy: 'email', email: '={{ $json.email }}', skipInvited: 'none', additionalFields: {} },
	};
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	return [n8nNode('People', 'code', { jsCode }, 2), argyleNode(credential, invite, { name: 'Invite', ...retry })];
}

export function n8nNode(
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	typeVersion = 1,
): SavedNode {
	return { id: randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion, position: [220, 0], parameters };
}

/** A webhook that n8n answers when the execution has ended. */
export function webhookNode(path: string): SavedNode {
	const parameters = { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData', options: {} };
	return { ...n8nNode('Webhook', 'webhook', parameters, 2), webhookId: path };
}

export function inARow(nodes: Array<{ name?: unknown }>): Record<string, unknown> {
	const pairs = nodes
		.slice(1)
		.map((node, index) => [String(nodes[index]?.name), { main: [[{ node: node.name, type: 'main', index: 0 }]] }]);
	return Object.fromEntries(pairs);
}
