import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isForOwnHost } from '../ownHost.mts';

/**
 * Below the range from which the system assigns ports, because it would give the port of a server that is offline to
 * the next one that asks. Above 10080, which `fetch` refuses. Probably not where another process of the tests begins.
 */
let nextPort = randomInt(10_100, 30_000);

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** An HTTP server on loopback that can go away, and come back at the same origin. */
export class LoopbackServer {
	/** Scheme, host and port, once started. */
	origin = '';

	/** The most requests that were handled at the same time. */
	peakConcurrency = 0;

	private inFlight = 0;

	private readonly server = createServer((request, response) => {
		if (!isForOwnHost(request)) return void response.writeHead(403).end();
		this.peakConcurrency = Math.max(this.peakConcurrency, ++this.inFlight);
		response.once('close', () => this.inFlight--);
		this.handle(request, response).catch(() => response.destroy());
	});

	private readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

	constructor(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
		this.handle = handle;
	}

	/** Takes any port for 0. Rejects when the port is in use. */
	async start(port: number): Promise<void> {
		if (port === 0) await this.listenAnywhere();
		else await this.listen(port);
		const address = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('The server has no port');
		this.origin = `http://127.0.0.1:${address.port}`;
	}

	/** Closes all connections, and refuses new ones until `goOnline`. */
	async goOffline(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	async goOnline(): Promise<void> {
		await this.listen(Number(new URL(this.origin).port));
	}

	private async listenAnywhere(): Promise<void> {
		await this.listen(nextPort++).catch(async (error: unknown) => {
			if (!isTaken(error)) throw error;
			await this.listenAnywhere();
		});
	}

	private async listen(port: number): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.server.once('error', reject);
			this.server.listen(port, '127.0.0.1', resolve);
		});
	}
}
