import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { listen } from '../listen.mts';
import { type ApiResponse, errorResponse, notFound, sendResponse } from './response.mts';
import type { ServedFile } from './types.mts';

const CHUNK = Buffer.alloc(64 * 1024, '%PDF-1.7 a file of the fake Argyle\n');

/** The bytes of a file of this size, which are never in memory as a whole. */
export function* fileBytes(size: number): Generator<Buffer> {
	for (let left = size; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
}

function* brokenOff(size: number): Generator<Buffer> {
	yield* fileBytes(size / 2);
	throw new Error('The fake Argyle breaks off');
}

function stalled(): Readable {
	const stream = new Readable({ read: () => undefined });
	stream.push(CHUNK.subarray(0, 1_000));
	return stream;
}

export function fileResponse(file: ServedFile): ApiResponse {
	const { status = 200, headers, body, size = 2_000, breaksOff = 0 } = file;
	const type = { 'Content-Type': 'application/pdf', ...headers };
	if (body !== undefined) return { status, body, headers: { 'Content-Length': String(body.length), ...type } };
	if (status !== 200) return { status, headers };
	file.breaksOff = breaksOff - 1;
	const bytes = breaksOff > 0 ? brokenOff(size) : fileBytes(size);
	const stream = file.stalls ? stalled() : Readable.from(bytes);
	return { status, body: stream, headers: { 'Content-Length': String(size), ...type } };
}

/** Another host, where Argyle's redirects may lead; as a file store with signed addresses, it refuses a key. */
export class FileHost {
	/** What was asked there, with all headers. */
	readonly requests: Array<{ path: string; headers: IncomingHttpHeaders }> = [];

	/** By path. */
	readonly files = new Map<string, ServedFile>();

	origin = '';

	private readonly server = createServer(({ url = '/', headers }, response) => {
		const path = new URL(url, this.origin).pathname;
		this.requests.push({ path, headers });
		sendResponse(response, this.responseTo(path, headers));
	});

	async start(): Promise<void> {
		this.origin = `http://127.0.0.1:${await listen(this.server)}`;
	}

	/** Returns an address at which the file is served to whoever asks. */
	sign(path: string, file: ServedFile): string {
		this.files.set(path, file);
		return `${this.origin}${path}?X-Goog-Signature=made-up`;
	}

	private responseTo(path: string, { authorization }: IncomingHttpHeaders): ApiResponse {
		if (authorization !== undefined) return errorResponse(400, 'Only one auth mechanism allowed.');
		const file = this.files.get(path);
		return file === undefined ? notFound() : fileResponse(file);
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}
