import type { ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';

/** What a route answers. */
export interface Answer {
	status: number;
	/** JSON unless it is a Buffer or text. */
	body?: unknown;
	headers?: Record<string, string>;
}

/** An error in the form in which Argyle words most of its own. */
export const detail = (status: number, words: string, headers: Record<string, string> = {}): Answer => ({
	status,
	body: { detail: words },
	headers,
});

/** Writes an answer, with the headers that every recorded reply carries. */
export function write(response: ServerResponse, { status, body, headers = {} }: Answer): void {
	const isRaw = Buffer.isBuffer(body) || typeof body === 'string';
	const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(isRaw ? body : JSON.stringify(body));
	response.writeHead(status, {
		...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
		'X-Trace-Id': randomUUID().replaceAll('-', ''),
		Server: 'cloudflare',
		...headers,
	});
	response.end(bytes);
}
