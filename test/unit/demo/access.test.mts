import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startForwarder } from '../../../scripts/demo/forwarder.mts';
import { startPage } from '../../../scripts/demo/page.mts';
import { startFakeArgyle } from '../../support/fakeArgyle/index.mts';
import { listen } from '../../support/listen.mts';
import { N8nClient } from '../../support/n8n/client.mts';
import { freePort } from '../../support/n8n/process.mts';

interface Answer {
	status?: number;
	headers: string[];
	body: Buffer;
}

async function send(port: number, path: string, headers: string[], body?: Buffer): Promise<Answer> {
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		const target = { host: '127.0.0.1', port, method: body ? 'POST' : 'GET', path, headers, agent: false };
		request(target, resolve).once('error', reject).end(body);
	});
	return { status: answer.statusCode, headers: answer.rawHeaders, body: await buffer(answer) };
}

describe('the port to which a public address forwards', () => {
	const received: Array<{ path?: string; headers: string[]; body: Buffer }> = [];
	const n8n = createServer((incoming, outgoing) => {
		void buffer(incoming).then((body) => {
			received.push({ path: incoming.url, headers: incoming.rawHeaders, body });
			outgoing.writeHead(418, ['X-Answer', 'one', 'x-answer', 'two']).end(body.toReversed());
		});
	});
	let port: number;
	let forwarder: Server;
	beforeEach(async () => {
		received.splice(0);
		port = await freePort();
		forwarder = await startForwarder(port, 'my-tunnel.example.com', await listen(n8n));
	});
	afterEach(() => {
		n8n.close();
		forwarder.closeAllConnections();
		forwarder.close();
	});

	it.each(['/webhook/a/webhook?b=../c', '/webhook-test/a'])(
		'hands on %s and the answer, byte for byte',
		async (path) => {
			const body = randomBytes(300_000);
			const sent = ['Host', 'My-Tunnel.example.com', 'X-Forwarded-For', '203.0.113.7', 'x-argyle-signature', 'aB'];
			const all = [...sent, 'Content-Length', String(body.length), 'Connection', 'close'];
			const { status, headers, body: answered } = await send(port, path, all, body);
			expect(received).toEqual([{ path, headers: all, body }]);
			expect({ status, isSame: answered.equals(body.toReversed()) }).toEqual({ status: 418, isSame: true });
			expect(headers.slice(0, 4)).toEqual(['X-Answer', 'one', 'x-answer', 'two']);
		},
	);

	it.each([
		...['/', '/rest/login', '/webhook', '/webhook-waiting/1', '//webhook/a', 'http://a/webhook/a', '/WEBHOOK/../rest'],
		...['/webhook/../rest/login', '/webhook/%2e%2E/rest', '/webhook/.%2e/rest', '/webhook/a\\..\\rest'],
	])('answers 404 for %s, and n8n hears nothing', async (path) => {
		const { status } = await send(port, path, ['Host', 'my-tunnel.example.com']);
		expect({ status, received }).toEqual({ status: 404, received: [] });
	});

	it('answers 403 at another name than the public one', async () => {
		const { status } = await send(port, '/webhook/a', ['Host', `127.0.0.1:${port}`]);
		expect({ status, received }).toEqual({ status: 403, received: [] });
	});

	it('answers 502 when n8n is away', async () => {
		n8n.close();
		expect(await send(port, '/webhook/a', ['Host', 'my-tunnel.example.com'])).toMatchObject({ status: 502 });
	});
});

describe('a web page of others in the browser', () => {
	it.each([
		['a name that leads to this machine', (port: number) => ['Host', `evil.example:${port}`]],
		['another origin', (port: number) => ['Host', `127.0.0.1:${port}`, 'Origin', 'http://evil.example']],
		['another port', (port: number) => ['Host', `127.0.0.1:${port}`, 'Origin', `http://127.0.0.1:${port + 1}`]],
	])("gets 403 from the demo's page and from the fake Argyle by %s", async (_, headersFor) => {
		const argyle = await startFakeArgyle();
		const page = await startPage(argyle, new N8nClient(argyle.origin));
		const portOf = (origin: string) => Number(new URL(origin).port);
		const answers = await Promise.all([
			send(portOf(page.address), '/form', headersFor(portOf(page.address)), Buffer.from('{}')),
			send(portOf(argyle.origin), '/v2/webhooks', headersFor(portOf(argyle.origin))),
		]);
		expect(answers.map(({ status }) => status)).toEqual([403, 403]);
		page.stop();
		await argyle.stop();
	});
});
