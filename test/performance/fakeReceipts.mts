import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimit } from '../support/fakeArgyle/rateLimit.mts';
import { type LocalServer, startLocalServer } from './localServer.mts';

/** Only Argyle's receipts, of any size: the fake Argyle draws a PDF for each, which would limit the rate. */
export interface FakeReceipts extends LocalServer {
	setSize(bytes: number): void;
	/** Returns what was counted since the last call: 429s, and the time from the first request to the last receipt. */
	takeCounts(): { rateLimited: number; elapsedMs: number };
}

const pdfOf = (bytes: number) => Buffer.alloc(bytes, '%PDF-1.7\n');

export async function startFakeReceipts(latencyMs: number, requestsPerSecond: number): Promise<FakeReceipts> {
	const limit = new RateLimit(requestsPerSecond);
	let pdf = pdfOf(2_000);
	let [firstAt, lastAt, rateLimited] = [0, 0, 0];
	const server = await startLocalServer(async (request, response) => {
		request.resume();
		firstAt ||= Date.now();
		if (!limit.allows(Date.now())) {
			rateLimited++;
			response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' });
			response.end('{"detail":"Too Many Requests"}');
			return;
		}
		await wait(latencyMs);
		const headers = { 'Content-Disposition': 'attachment; filename="receipt.pdf"', 'Content-Length': pdf.length };
		response.writeHead(200, { 'Content-Type': 'application/pdf', ...headers }).end(pdf);
		await once(response, 'close');
		lastAt = Date.now();
	});
	return {
		...server,
		setSize: (bytes) => (pdf = pdfOf(bytes)),
		takeCounts() {
			const counts = { rateLimited, elapsedMs: lastAt - firstAt };
			firstAt = rateLimited = 0;
			return counts;
		},
	};
}
