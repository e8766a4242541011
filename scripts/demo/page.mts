import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { eventCase } from '../../test/support/eventCases.mts';
import { EVENT_NAMES } from '../../test/support/fakeArgyle/eventNames.mts';
import type { FakeArgyle, FormInput } from '../../test/support/fakeArgyle/index.mts';
import { isJson, type Json } from '../../test/support/json.mts';
import { startMailbox } from '../../test/support/mailbox.mts';
import type { N8nClient } from '../../test/support/n8n/client.mts';
import { freePort } from '../../test/support/n8n/process.mts';
import { isForOwnHost } from '../../test/support/ownHost.mts';
import { root } from '../../test/support/paths.mts';
import { attachmentAt, mailsOf, typeOf } from './mails.mts';
import { letN8nMiss } from './missed.mts';
import { goOnWithOrders, letOrderedPersonAct, ordersOf } from './orders.mts';
import { letPersonAct, messagesToPeople, people, told } from './people.mts';

/** By which the page names it to people. */
export const MAIL_CREDENTIAL_NAME = 'Mail to the fake Argyle';

const PREFERRED_PORT = 4011;
const MAX_DELIVERIES = 50;
const WORK_EVERY_MS = 500;

const [HTML, PEOPLE] = ['page.html', 'people.csv'].map((file) => readFileSync(join(root, 'scripts', 'demo', file)));

/** A page in the browser that lets things happen at the fake Argyle, and shows what it sees of n8n. Orders go on. */
export interface DemoPage {
	address: string;
	/** With it, n8n's nodes send e-mail to this page. */
	mailCredential: Json;
	stop(): void;
}

async function readBody(request: IncomingMessage): Promise<Json> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
	return isJson(body) ? body : {};
}

/** Who was chosen on the page; the first user where the chosen one has been erased since. */
function chosenUser({ users }: FakeArgyle, { person }: Json): string {
	const [first = randomUUID()] = users.keys();
	return users.has(String(person)) ? String(person) : first;
}

function formOf(argyle: FakeArgyle, input: Json): FormInput {
	const { incomeSource } = input;
	const form = typeof incomeSource === 'string' && incomeSource !== '' ? { incomeSource } : {};
	return { ...form, user: chosenUser(argyle, input) };
}

/** Lets an event of a person happen, with the records that it speaks of. */
function letHappen(argyle: FakeArgyle, input: Json): string {
	const event = String(input.event);
	const { data } = eventCase(argyle, event, { user: chosenUser(argyle, input), account: randomUUID() });
	void argyle.deliver(event, data);
	return told(argyle, [event]);
}

export async function startPage(argyle: FakeArgyle, client: N8nClient): Promise<DemoPage> {
	let isAway = false;
	const { mails, credentialData: mailCredential, stop: stopMailbox } = await startMailbox();

	const actions: Record<string, (input: Json) => Promise<string> | string> = {
		'/form': (input) => {
			void argyle.submitForm(formOf(argyle, input));
			return told(argyle, ['user_forms.submitted']);
		},
		'/missed': async (input) => await letN8nMiss(argyle, client, formOf(argyle, input)),
		'/event': (input) => letHappen(argyle, input),
		'/person': (input) => letPersonAct(argyle, input),
		'/order': (input) => letOrderedPersonAct(argyle, input),
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
		people: people(argyle),
		messages: messagesToPeople(argyle),
		mails: mailsOf(mails),
		orders: ordersOf(argyle),
		deliveries: argyle.deliveries.slice(-MAX_DELIVERIES).reverse(),
	});

	const server = createServer((request, response) => {
		async function answer(): Promise<void> {
			const { method, url = '/' } = request;
			const action = actions[url];
			const file = attachmentAt(mails, url);
			if (!isForOwnHost(request)) response.writeHead(403).end();
			else if (method === 'GET' && url === '/')
				response.setHeader('Content-Type', 'text/html; charset=utf-8').end(HTML);
			else if (method === 'GET' && url === '/people.csv') response.setHeader('Content-Type', 'text/csv').end(PEOPLE);
			else if (method === 'GET' && file !== undefined) {
				response.setHeader('X-Content-Type-Options', 'nosniff').setHeader('Content-Type', typeOf(file)).end(file.bytes);
			} else if (method === 'GET' && url === '/state') response.end(JSON.stringify(state()));
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
	const work = setInterval(() => goOnWithOrders(argyle), WORK_EVERY_MS);
	return {
		mailCredential,
		address: `http://127.0.0.1:${port}`,
		stop() {
			clearInterval(work);
			stopMailbox();
			server.closeAllConnections();
			server.close();
		},
	};
}
