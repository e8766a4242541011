import { createHmac, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { isJson } from '../support/json.mts';
import { type DeliveryTiming, deliverBytes } from '../support/fakeArgyle/deliveries.mts';
import type { Source } from './eventSource.mts';

interface Hook {
	id: number;
	url: string;
	secret: string;
}

/** A stand-in for the part of GitHub's API that n8n's GitHub Trigger uses: the hooks of one repository. */
export interface GitHub extends Source {
	origin: string;
	/** How many hooks there are at this moment. */
	subscriptions(): number;
	stop(): Promise<void>;
}

/** Starts the stand-in, whose deliveries are repeated by Argyle's rule, so that both triggers are asked the same. */
export async function startGitHub(latencyMs: number, timing: DeliveryTiming): Promise<GitHub> {
	const hooks = new Map<number, Hook>();
	const stopped = new AbortController();
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(Buffer.from(chunk));
		await wait(latencyMs);
		const id = Number(request.url?.split('/').at(-1));
		const answer = (status: number, body?: unknown) => {
			response.writeHead(status, { 'Content-Type': 'application/json' });
			response.end(body === undefined ? '' : JSON.stringify(body));
		};
		if (request.method === 'POST') {
			const asked: unknown = JSON.parse(Buffer.concat(chunks).toString());
			const config = isJson(asked) && isJson(asked.config) ? asked.config : {};
			const hook = { id: randomInt(1, 1e9), url: String(config.url), secret: String(config.secret) };
			hooks.set(hook.id, hook);
			answer(201, { id: hook.id, active: true, events: ['*'] });
		} else if (!hooks.has(id)) answer(404, { message: 'Not Found' });
		else if (request.method === 'DELETE') {
			hooks.delete(id);
			answer(204);
		} else answer(200, { id, active: true });
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return {
		origin: `http://127.0.0.1:${address.port}`,
		subscriptions: () => hooks.size,
		async deliver(id) {
			const body = JSON.stringify({ ref: 'refs/heads/main', after: id });
			const all = [...hooks.values()].map(async ({ url, secret }) => {
				const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
				const headers = { 'X-GitHub-Event': 'push', 'X-Hub-Signature-256': signature };
				return await deliverBytes(url, body, headers, timing, stopped.signal);
			});
			return (await Promise.all(all)).flat();
		},
		async stop() {
			stopped.abort();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
