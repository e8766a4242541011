import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimit } from '../support/fakeArgyle/rateLimit.mts';

const CHUNK = randomBytes(64 * 1024);
const PDF_START = Buffer.from('%PDF-1.7\n');

/** What the service has seen since it was last asked to count anew. */
export interface Counts {
	given: number;
	tooMany: number;
	/** From the first question to the last receipt that was given, in milliseconds. */
	tookMs: number;
}

/** Only what a bench needs of Argyle: receipts of any size, late by the latency, and 429 over the rate. */
export class ReceiptService {
	origin = '';

	/** The size of each receipt. */
	bytes = 2_000;

	private given = 0;

	private tooMany = 0;

	private firstAt = 0;

	private lastAt = 0;

	private readonly latencyMs: number;

	private readonly limit: RateLimit;

	private readonly server = createServer((request, response) => {
		request.resume();
		this.answer(response).catch(() => response.destroy());
	});

	constructor(latencyMs: number, perSecond: number) {
		this.latencyMs = latencyMs;
		this.limit = new RateLimit(perSecond);
	}

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		const address = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('no port');
		this.origin = `http://127.0.0.1:${address.port}`;
		return this;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** Gives what it has seen, and counts anew. */
	count(): Counts {
		const counts = { given: this.given, tooMany: this.tooMany, tookMs: this.lastAt - this.firstAt };
		this.given = this.tooMany = this.firstAt = 0;
		return counts;
	}

	private async answer(response: ServerResponse): Promise<void> {
		this.firstAt ||= Date.now();
		if (!this.limit.allows(Date.now())) {
			this.tooMany++;
			response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' });
			response.end('{"detail":"Too Many Requests"}');
			return;
		}
		await wait(this.latencyMs);
		response.writeHead(200, {
			'Content-Type': 'application/pdf',
			'Content-Disposition': 'attachment; filename="receipt.pdf"',
			'Content-Length': String(this.bytes),
		});
		response.write(PDF_START);
		for (let left = this.bytes - PDF_START.length; left > 0; left -= CHUNK.length)
			if (!response.write(CHUNK.subarray(0, left))) await once(response, 'drain');
		response.end();
		this.given++;
		this.lastAt = Date.now();
	}
}
