import { randomInt } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { isJson } from '../support/json.mts';
import { type LocalServer, startLocalServer } from './localServer.mts';

/** The part of GitHub's API that n8n's GitHub Trigger uses: the webhooks of one repository. */
export interface FakeGitHub extends LocalServer {
	hooks: Map<number, { url: string; secret: string }>;
}

export async function startFakeGitHub(latencyMs = 0): Promise<FakeGitHub> {
	const hooks: FakeGitHub['hooks'] = new Map();
	const server = await startLocalServer(async (request, response) => {
		const body: unknown = request.method === 'POST' ? await json(request) : undefined;
		await wait(latencyMs);
		const answer = (status: number, value: unknown) => {
			response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
		};
		const id = Number(request.url?.split('/').at(-1));
		if (isJson(body)) {
			const config = isJson(body.config) ? body.config : {};
			const newId = randomInt(1, 1e9);
			hooks.set(newId, { url: String(config.url), secret: String(config.secret) });
			answer(201, { id: newId, active: true, events: ['*'] });
		} else if (!hooks.has(id)) answer(404, { message: 'Not Found' });
		else if (request.method === 'DELETE') {
			hooks.delete(id);
			response.writeHead(204).end();
		} else answer(200, { id, active: true });
	});
	return { ...server, hooks };
}
