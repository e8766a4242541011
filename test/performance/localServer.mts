import { createServer, type RequestListener } from 'node:http';

export interface LocalServer {
	origin: string;
	/** Cuts open connections. */
	stop(): Promise<void>;
}

export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return {
		origin: `http://127.0.0.1:${address.port}`,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
