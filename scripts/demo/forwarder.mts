import { createServer, request, type Server } from 'node:http';
import { pipeline } from 'node:stream';

/** `..` leads out of a folder, for some also where it is encoded. */
const isForWebhook = (path: string) => /^\/webhook(-test)?\/(?!.*(\.\.|%2[eE]|\\))/.test(path.replace(/\?.*/s, ''));

/**
 * Hands on to n8n what comes from the internet for its webhooks, byte for byte, and nothing else: the public address
 * leads neither to n8n's editor nor to its API. Rejects when the port is in use.
 */
export async function startForwarder(port: number, publicHost: string, n8nPort: number): Promise<Server> {
	const server = createServer((incoming, outgoing) => {
		const { method, url: path = '', rawHeaders: headers } = incoming;
		if (incoming.headers.host?.toLowerCase() !== publicHost) return void outgoing.writeHead(403).end();
		if (!isForWebhook(path)) return void outgoing.writeHead(404).end();
		const target = { host: '127.0.0.1', port: n8nPort, agent: false };
		const forwarded = request({ ...target, method, path, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
			pipeline(answer, outgoing, () => {});
		});
		forwarded.once('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
		outgoing.once('close', () => forwarded.destroy());
		incoming.pipe(forwarded);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	return server;
}
