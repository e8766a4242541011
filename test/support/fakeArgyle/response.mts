import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { isJson } from '../json.mts';
import type { Assumed } from './assumed.mts';

export interface ApiResponse {
	status: number;
	/** Sent as JSON unless it is a stream, a Buffer or a string. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Whether it names its trace ID. @default true */
	isTraced?: boolean;
}

/** An error in the form of most of Argyle's own. */
export const errorResponse = (status: number, detail: string, headers: Record<string, string> = {}): ApiResponse => ({
	status,
	body: { detail },
	headers,
});

export const notFound = () => errorResponse(404, 'Not found.');

export const recordOrNotFound = (record: unknown): ApiResponse =>
	record === undefined ? notFound() : { status: 200, body: record };

export const methodNotAllowed = (method: string) => errorResponse(405, `Method "${method}" not allowed.`);

export const tooManyRequests = ({ retryAfter }: Assumed) =>
	errorResponse(429, 'Too Many Requests', retryAfter === 'yes' ? { 'Retry-After': '1' } : {});

export const invalidFields = (errors: Record<string, string[]>): ApiResponse => ({ status: 400, body: errors });

/** An answer as all of them are assumed to be. */
export function asAssumed(response: ApiResponse, assumed: Assumed): ApiResponse {
	const isTraced = assumed.traceId === 'all' || response.status < 400;
	const isUnworded = response.status === 404 && assumed.unknownRecord === '404 without a detail';
	const body = isUnworded ? { message: 'No such record' } : refusalAsAssumed(response, assumed);
	return { ...response, isTraced, body };
}

/** Words for fields as one sentence, where that is assumed. */
function refusalAsAssumed({ status, body }: ApiResponse, assumed: Assumed): unknown {
	if (status !== 400 || assumed.refusedField === 'words for each field' || !isJson(body)) return body;
	const [field, words] = Object.entries(body)[0] ?? [];
	return Array.isArray(words) ? { detail: `${field}: ${words.join(' ')}` } : body;
}

/** Adds the headers that every recorded response has. */
export function sendResponse(response: ServerResponse, answer: ApiResponse): void {
	const { status, body, headers = {}, isTraced = true } = answer;
	if (body instanceof Readable) {
		// With an error in the body, the connection breaks off.
		pipeline(body, response.writeHead(status, headers), () => undefined);
		return;
	}
	const isRaw = Buffer.isBuffer(body) || typeof body === 'string';
	const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(isRaw ? body : JSON.stringify(body));
	response.writeHead(status, {
		...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
		...(isTraced ? { 'X-Trace-Id': randomUUID().replaceAll('-', '') } : {}),
		Server: 'cloudflare',
		...headers,
	});
	response.end(bytes);
}
