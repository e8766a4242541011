import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimit } from '../support/fakeArgyle/rateLimit.mts';
import { isJson } from '../support/json.mts';
import { listen } from '../support/listen.mts';

/** What Argyle allows an account. */
export const ACCOUNT_PER_SECOND = 50;

export interface FakeReceiptsOptions {
	latencyMs: number;
	requestsPerSecond: number;
}

/** Only Argyle's receipts: the fake Argyle draws a PDF for each, which would limit the rate. */
export interface FakeReceipts {
	origin: string;
	stop(): Promise<void>;
	/** Returns what was counted since the last call. */
	takeCounts(): Counts;
}

interface Counts {
	/** 429s included. */
	requests: number;
	rateLimited: number;
	connections: number;
	firstRequestAt: number;
	/** When a user's receipt had been sent. */
	receivedAt: Map<string, number>;
}

const noCounts = (): Counts => ({
	requests: 0,
	rateLimited: 0,
	connections: 0,
	firstRequestAt: NaN,
	receivedAt: new Map(),
});

/** From the first request to the last receipt. */
export const elapsedMs = ({ firstRequestAt, receivedAt }: Counts) => Math.max(...receivedAt.values()) - firstRequestAt;

const PDF = Buffer.alloc(2_000, '%PDF-1.7\n');

export async function startFakeReceipts(options: FakeReceiptsOptions): Promise<FakeReceipts> {
	const { latencyMs, requestsPerSecond } = options;
	const limit = new RateLimit(requestsPerSecond);
	const connected = new WeakSet<Socket>();
	let counts = noCounts();
	const server = createServer(async (request, response) => {
		counts.firstRequestAt ||= Date.now();
		const body: unknown = await json(request);
		if (!connected.has(request.socket)) {
			connected.add(request.socket);
			counts.connections++;
		}
		counts.requests++;
		if (!limit.allows(Date.now())) {
			counts.rateLimited++;
			response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' });
			response.end('{"detail":"Too Many Requests"}');
			return;
		}
		await wait(latencyMs);
		const headers = { 'Content-Disposition': 'attachment; filename="receipt.pdf"', 'Content-Length': PDF.length };
		response.writeHead(200, { 'Content-Type': 'application/pdf', ...headers }).end(PDF);
		await once(response, 'close');
		counts.receivedAt.set(isJson(body) ? String(body.user) : '', Date.now());
	});
	return {
		origin: `http://127.0.0.1:${await listen(server)}`,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
		takeCounts() {
			const taken = counts;
			counts = noCounts();
			return taken;
		},
	};
}
