import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { eventCase } from '../../test/e2e/eventCases.mts';
import { EVENT_NAMES } from '../../test/support/fakeArgyle/eventNames.mts';
import type { FakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import { isJson, type Json } from '../../test/support/json.mts';
import { freePort } from '../../test/support/n8n/process.mts';
import { root } from '../../test/support/paths.mts';

const PREFERRED_PORT = 4011;
const MAX_DELIVERIES = 50;

const HTML = readFileSync(join(root, 'scripts', 'demo', 'page.html'));

/** A page in the browser that lets things happen at the fake Argyle, and shows what it sees of n8n. */
export interface DemoPage {
	address: string;
	stop(): void;
}

async function readBody(request: IncomingMessage): Promise<Json> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
	return isJson(body) ? body : {};
}

/** Lets an event of a known person happen, with the records that it speaks of. */
function letHappen(argyle: FakeArgyle, event: string): void {
	const [user = randomUUID()] = argyle.users.keys();
	const { data } = eventCase(argyle, event, { user, account: randomUUID() });
	// The page shows each answer as it comes; a delivery is repeated after half a minute.
	void argyle.deliver(event, data);
}

export async function startPage(argyle: FakeArgyle): Promise<DemoPage> {
	let isAway = false;

	const actions: Record<string, (input: Json) => Promise<void> | void> = {
		'/form': ({ incomeSource }) =>
			void argyle.submitForm(typeof incomeSource === 'string' && incomeSource !== '' ? { incomeSource } : {}),
		'/event': ({ event }) => letHappen(argyle, String(event)),
		'/away': async () => {
			if (!isAway) await argyle.goOffline();
			isAway = true;
		},
		'/back': async () => {
			if (isAway) await argyle.goOnline();
			isAway = false;
		},
	};

	const state = () => ({
		isAway,
		events: [...EVENT_NAMES],
		subscriptions: [...argyle.subscriptions.values()].map(({ secret, ...rest }) => ({ ...rest, has_secret: !!secret })),
		deliveries: argyle.deliveries.slice(-MAX_DELIVERIES).reverse(),
	});

	const server = createServer((request, response) => {
		async function answer(): Promise<void> {
			const { method, url = '/' } = request;
			const action = actions[url];
			if (method === 'GET' && url === '/') response.setHeader('Content-Type', 'text/html; charset=utf-8').end(HTML);
			else if (method === 'GET' && url === '/state') response.end(JSON.stringify(state()));
			else if (method === 'POST' && action !== undefined) {
				await action(await readBody(request));
				response.end('{}');
			} else response.writeHead(404).end();
		}
		answer().catch((error: unknown) => response.writeHead(400).end(String(error)));
	});
	const port = await freePort(PREFERRED_PORT);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	return {
		address: `http://127.0.0.1:${port}`,
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
}
