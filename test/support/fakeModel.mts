import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { isJson, type Json } from './json.mts';
import { listen } from './listen.mts';

interface ToolCall {
	name: string;
	input: Json;
}

/** What the model says: its answer, or which tools are to be called first. */
export type Reply = string | ToolCall[];

/** Stands in for a language model of OpenAI. */
export interface FakeModel {
	/** What n8n's OpenAI credential holds. */
	credentialData: Json;
	/** The requests, as they came: the conversation so far and the tools. */
	requests: Json[];
	stop(): void;
}

/**
 * Starts OpenAI's chat completions on loopback, for one conversation. `decide` gets the texts that are new: what the
 * person wrote, or one result for each tool that was called.
 */
export async function startFakeModel(decide: (texts: string[]) => Reply): Promise<FakeModel> {
	const requests: Json[] = [];
	/** n8n sends the whole conversation each time. */
	let heard = 0;

	function answer(request: unknown): Json {
		if (!isJson(request) || !Array.isArray(request.messages)) throw new Error('The request has no messages');
		requests.push(request);
		const texts = request.messages
			.filter(isJson)
			.filter(({ role }) => role === 'user' || role === 'tool')
			.map(({ content }) => String(content));
		const reply = decide(texts.slice(heard));
		heard = texts.length;
		const message = typeof reply === 'string' ? { content: reply } : { content: null, tool_calls: reply.map(toolCall) };
		const finish_reason = typeof reply === 'string' ? 'stop' : 'tool_calls';
		return {
			...{ id: randomUUID(), object: 'chat.completion', created: 0, model: request.model },
			choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}

	const server = createServer((request, response) => {
		void json(request)
			.then(answer)
			.then(
				(body) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
				(error: unknown) => response.writeHead(400).end(String(error)),
			);
	});
	const port = await listen(server);
	return {
		credentialData: { apiKey: 'key-of-the-fake-model', url: `http://127.0.0.1:${port}/v1`, header: false },
		requests,
		stop() {
			server.close();
			server.closeAllConnections();
		},
	};
}

const toolCall = ({ name, input }: ToolCall): Json => ({
	id: `call_${randomUUID()}`,
	type: 'function',
	function: { name, arguments: JSON.stringify(input) },
});
