import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { freePort } from '../../support/n8n/process.mts';
import type { Server } from '../../support/n8n/server.mts';
import { freeOrigin, type ProxyName, startProxy } from './proxyServer.mts';

const DELIVERY = '/webhook/0a1b2c3d-0000-4000-8000-00000000abcd/webhook';
/** n8n's N8N_PAYLOAD_SIZE_MAX. */
const LARGEST = 16 * 1024 * 1024;

interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

interface Answer {
	status: number;
	body: string;
}

/** An n8n as the proxy sees it. */
class Upstream {
	isReady = true;

	answer: Answer = { status: 200, body: '{"message":"Received"}' };

	/** The paths of all calls, from their headers on. */
	readonly begun: string[] = [];

	/** Those that have come as a whole. */
	readonly received: Received[] = [];

	private readonly server = createServer((incoming, outgoing) => {
		// The next test's upstream listens at the same port, so no connection may be used again.
		outgoing.shouldKeepAlive = false;
		this.begun.push(incoming.url ?? '');
		if (incoming.url?.startsWith('/healthz/readiness')) {
			outgoing.writeHead(this.isReady ? 200 : 503).end('{}');
			return;
		}
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			this.received.push({ path: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks) });
			outgoing.writeHead(this.answer.status, { 'Content-Type': 'application/json' }).end(this.answer.body);
		});
	}).on('upgrade', (incoming, socket) => {
		const accepts = incoming.headers.upgrade === 'websocket';
		socket.end(`HTTP/1.1 ${accepts ? '101 Switching Protocols' : '400 Bad Request'}\r\n${UPGRADE}\r\nhello`);
	});

	async start(port: number): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

describe.each<ProxyName>(['nginx', 'Caddy'])('%s with the configuration of docs/proxy', (name) => {
	let upstreamPort: number;
	let upstream: Upstream;
	let proxy: Server;

	beforeAll(async () => {
		upstreamPort = await freePort();
		proxy = await startProxy(name, await freeOrigin('http'), `http://127.0.0.1:${upstreamPort}`);
	});
	afterAll(async () => await proxy.stop());
	beforeEach(async () => {
		upstream = new Upstream();
		await upstream.start(upstreamPort);
	});
	afterEach(async () => await upstream.stop());

	async function send(path: string, init: RequestInit = { method: 'POST', body: '{}' }): Promise<Answer> {
		const response = await fetch(`http://127.0.0.1:${proxy.port}${path}`, init);
		return { status: response.status, body: await response.text() };
	}

	it('answers a delivery with 503 where n8n answers 404, refuses the connection, or is not ready yet', async () => {
		const away = { status: 503, body: '{"message":"n8n is away, send again"}' };
		upstream.answer = { status: 404, body: '{"message":"is not registered"}' };
		expect(await send(DELIVERY)).toEqual(away);
		upstream.answer = { status: 200, body: 'n8n is starting up. Please wait' };
		upstream.isReady = false;
		expect((await send(DELIVERY)).status).toBe(503);
		expect(upstream.received).toHaveLength(1);
		await upstream.stop();
		expect(await send(DELIVERY)).toEqual(away);
	});

	it.each([200, 400, 401, 403, 503])('leaves %i of the trigger as it is', async (status) => {
		upstream.answer = { status, body: '{"message":"of the trigger"}' };
		expect(await send(DELIVERY)).toEqual(upstream.answer);
	});

	it.each([
		['GET of a delivery address', DELIVERY, { method: 'GET' }],
		['a test address', DELIVERY.replace('webhook', 'webhook-test'), undefined],
		['another webhook', '/webhook/my-own-path', undefined],
		['the REST API', '/rest/workflows/1', undefined],
	])("leaves n8n's 404 to %s as it is", async (_, path, init) => {
		upstream.answer = { status: 404, body: '{"message":"is not registered"}' };
		expect(await send(path, init)).toEqual(upstream.answer);
		expect(upstream.received).toMatchObject([{ path }]);
	});

	it('hands on a delivery with its path, its headers and its bytes', async () => {
		const body = '{\n  "event": "accounts.connected",\r\n  "name": "Bäckerei \u2028"\n}\n';
		const headers = { 'Content-Type': 'application/json', 'X-Argyle-Signature': 'ab'.repeat(64) };
		await send(`${DELIVERY}?a=1`, { method: 'POST', body, headers });
		expect(upstream.received).toMatchObject([
			{
				path: `${DELIVERY}?a=1`,
				headers: {
					'content-type': 'application/json',
					'content-length': String(Buffer.byteLength(body)),
					'x-argyle-signature': headers['X-Argyle-Signature'],
				},
				body: Buffer.from(body),
			},
		]);
	});

	it.each([DELIVERY, '/rest/credentials'])('tells n8n who called %s, whatever the caller claims', async (path) => {
		const headers = { 'X-Forwarded-For': '34.27.251.226', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'x' };
		await send(path, { method: 'POST', headers });
		expect(upstream.received[0]?.headers).toMatchObject({
			host: `127.0.0.1:${proxy.port}`,
			'x-forwarded-for': '127.0.0.1',
			'x-forwarded-proto': 'http',
			'x-forwarded-host': `127.0.0.1:${proxy.port}`,
		});
	});

	it.each([
		['a delivery', `${DELIVERY}?half`],
		['a call to an address that n8n takes for the same', `${DELIVERY}/`],
	])('keeps %s of which a part is missing away from n8n, until all of it is there', async (_, path) => {
		const headers = { 'Content-Length': '4' };
		const half = request({ host: '127.0.0.1', port: proxy.port, path, method: 'POST', headers });
		const answered = new Promise<IncomingMessage>((resolve, reject) =>
			half.on('response', resolve).on('error', reject),
		);
		half.write('{ ');
		// Each goes to n8n, so that the proxy has had the time to hand the first one on.
		for (let count = 0; count < 5; count++) expect((await send(DELIVERY)).status).toBe(200);
		expect(upstream.begun).not.toContain(path);
		half.end(' }');
		expect((await answered).statusCode).toBe(200);
		expect(upstream.received.at(-1)).toMatchObject({ path, body: Buffer.from('{  }') });
	});

	it('hands on the largest body that n8n accepts', async () => {
		expect((await send(DELIVERY, { method: 'POST', body: Buffer.alloc(LARGEST) })).status).toBe(200);
		expect(upstream.received[0]?.body).toHaveLength(LARGEST);
	});

	it("opens the editor's websocket", async () => {
		const upgraded = await new Promise<IncomingMessage>((resolve, reject) => {
			const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
			request({ host: '127.0.0.1', port: proxy.port, path: '/rest/push', headers })
				.on('upgrade', (response, socket) => {
					socket.destroy();
					resolve(response);
				})
				.on('response', resolve)
				.on('error', reject)
				.end();
		});
		expect(upgraded.statusCode).toBe(101);
	});
});
