import { createServer, type RequestListener } from 'node:http';
import { listen } from '../support/listen.mts';

export interface LocalServer {
	origin: string;
	/** Cuts open connections. */
	stop(): Promise<void>;
}

export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
	const server = createServer(listener);
	return {
		origin: `http://127.0.0.1:${await listen(server)}`,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
