import { randomUUID } from 'node:crypto';
import type { CredentialRef, SavedNode } from './nodes.mts';

/** Version 2 calls the tools that a model asks for at the same time, version 3 one after the other. */
export type AgentVersion = 2.2 | 3.1;

const langchain = (name: string, type: string, typeVersion: number, parameters: Record<string, unknown>): SavedNode => ({
	...{ id: randomUUID(), name, type: `@n8n/n8n-nodes-langchain.${type}`, typeVersion, position: [440, 0], parameters },
});

/** A node "Agent" that is asked `text`, its model, and its tools. */
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
