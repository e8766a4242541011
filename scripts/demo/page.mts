import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { eventCase } from '../../test/e2e/eventCases.mts';
import { receives } from '../../test/support/fakeArgyle/deliveries.mts';
import { EVENT_NAMES } from '../../test/support/fakeArgyle/eventNames.mts';
import type { FakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import { isJson, type Json } from '../../test/support/json.mts';
import { freePort } from '../../test/support/n8n/process.mts';
import { root } from '../../test/support/paths.mts';
import { letPersonAct, messagesToPeople } from './people.mts';

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

/** What a person reads who let an event happen, while it is delivered: what fails is repeated after half a minute. */
function told(argyle: FakeArgyle, event: string): string {
	const count = [...argyle.subscriptions.values()].filter((subscription) => receives(subscription, event)).length;
	return count === 0
		? `${event} happened, but no subscription asks for it: nothing was sent.`
		: `${event} happened, and is sent to ${count === 1 ? 'one subscription' : `${count} subscriptions`}.`;
}

/** Lets an event of a known person happen, with the records that it speaks of. */
function letHappen(argyle: FakeArgyle, event: string): string {
	const [user = randomUUID()] = argyle.users.keys();
	const { data } = eventCase(argyle, event, { user, account: randomUUID() });
	void argyle.deliver(event, data);
	return told(argyle, event);
}

export async function startPage(argyle: FakeArgyle): Promise<DemoPage> {
	let isAway = false;

	/** Each returns what is said of it. */
	const actions: Record<string, (input: Json) => Promise<string> | string> = {
		'/form': ({ incomeSource }) => {
			const form = typeof incomeSource === 'string' && incomeSource !== '' ? { incomeSource } : {};
			void argyle.submitForm(form);
			return told(argyle, 'user_forms.submitted');
		},
		'/event': ({ event }) => letHappen(argyle, String(event)),
		'/person': (input) => letPersonAct(argyle, input),
		'/away': async () => {
			if (!isAway) await argyle.goOffline();
			isAway = true;
			return 'Argyle does not answer any more. What happens meanwhile is still delivered.';
		},
		'/back': async () => {
			if (isAway) await argyle.goOnline();
			isAway = false;
			return 'Argyle answers again.';
		},
	};

	const state = () => ({
		isAway,
		events: [...EVENT_NAMES],
		subscriptions: [...argyle.subscriptions.values()].map(({ secret, ...rest }) => ({ ...rest, has_secret: !!secret })),
		messages: messagesToPeople(argyle),
		deliveries: argyle.deliveries.slice(-MAX_DELIVERIES).reverse(),
	});

	const server = createServer((request, response) => {
		async function answer(): Promise<void> {
			const { method, url = '/' } = request;
			const action = actions[url];
			if (method === 'GET' && url === '/') response.setHeader('Content-Type', 'text/html; charset=utf-8').end(HTML);
			else if (method === 'GET' && url === '/state') response.end(JSON.stringify(state()));
			else if (method === 'POST' && action !== undefined) {
				response.end(await action(await readBody(request)));
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
