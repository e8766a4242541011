import { createServer, type IncomingHttpHeaders, request as send, type ServerResponse } from 'node:http';

const ASK_EVERY_MS = 200;

/** What n8n answers, or nothing when it could not be reached. */
type Passed = { status: number; headers: IncomingHttpHeaders; body: Buffer } | undefined;

/** A reverse proxy before n8n that answers 503 for it, so that Argyle sends again, where n8n itself can't or says the wrong thing. */
export interface Proxy {
	origin: string;
	/** Whom it stands before; known once n8n has started. */
	standBefore(n8nOrigin: string): void;
	stop(): Promise<void>;
}

/**
 * Starts the proxy on loopback. It answers 503 while n8n isn't reached, or isn't ready (from the first failure until
 * `/healthz/readiness` says 200), and in place of
 * n8n's 404 to a POST.
 */
export async function startProxy(): Promise<Proxy> {
	let target = '';
	let isReady = true;
	const pass = async (method: string, path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Passed> =>
		await new Promise((resolve) => {
			const outgoing = send(`${target}${path}`, { method, headers, agent: false }, (response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', () => resolve(undefined));
				response.on('end', () =>
					resolve({ status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(chunks) }),
				);
			});
			outgoing.on('error', () => resolve(undefined));
			outgoing.end(body);
		});
	const later = (response: ServerResponse) => response.writeHead(503).end();

	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(Buffer.from(chunk));
		if (!isReady) return void later(response);
		const passed = await pass(request.method ?? 'GET', request.url ?? '/', request.headers, Buffer.concat(chunks));
		if (passed === undefined) isReady = false;
		const isMissing = passed?.status === 404 && request.method === 'POST';
		if (passed === undefined || isMissing) return void later(response);
		response.writeHead(passed.status, passed.headers).end(passed.body);
	});
	const asking = setInterval(async () => {
		if (isReady || target === '') return;
		const answer = await pass('GET', '/healthz/readiness', {}, Buffer.alloc(0));
		if (answer?.status === 200) isReady = true;
	}, ASK_EVERY_MS);

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
	return {
		origin: `http://127.0.0.1:${address.port}`,
		standBefore(n8nOrigin) {
			target = n8nOrigin;
		},
		async stop() {
			clearInterval(asking);
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
