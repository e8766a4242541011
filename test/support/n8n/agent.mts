import { randomUUID } from 'node:crypto';
import type { CredentialRef, SavedNode } from './nodes.mts';

/** Version 2 calls the tools that a model asks for at the same time, version 3 one after the other. */
export type AgentVersion = 2.2 | 3.1;

const langchain = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): SavedNode => ({
	...{ id: randomUUID(), name, type: `@n8n/n8n-nodes-langchain.${type}`, typeVersion, position: [440, 0], parameters },
});

export function agentWith(text: string, version: AgentVersion, openAi: CredentialRef, tools: SavedNode[]) {
	const agent = langchain('Agent', 'agent', version, { promptType: 'define', text, options: {} });
	const parameters = { model: { __rl: true, mode: 'id', value: 'any' }, responsesApiEnabled: false, options: {} };
	const model = {
		...langchain('Model', 'lmChatOpenAi', 1.3, parameters),
		credentials: { openAiApi: openAi },
	};
	const toAgent = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	return {
		nodes: [agent, model, ...tools],
		connections: {
			Model: toAgent('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
		},
	};
}

/** Offers the tools that are connected to it at `/mcp/{path}`. */
export const mcpTrigger = (path: string): SavedNode => ({
	...langchain('MCP', 'mcpTrigger', 2, { path, authentication: 'none' }),
	webhookId: path,
});

/** Begins a session with an MCP server; what it returns calls a tool and resolves with the bare answer. */
export async function connectMcp(url: string) {
	const post = async (message: object, headers: Record<string, string> = {}) =>
		await fetch(url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
	const clientInfo = { name: 'tests', version: '1' };
	const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
	const { headers } = await post({ id: 0, method: 'initialize', params });
	const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
	let calls = 0;
	return async (name: string, args: object) => {
		const message = { id: ++calls, method: 'tools/call', params: { name, arguments: args } };
		return await (await post(message, session)).text();
	};
}
