import { isJsonRecord } from '../utils/json';
import { type ByteStream, isByteStream } from './byteStream';

/** The beginning of an answer of the service. Header names are in lower case. */
export interface ResponseHead {
	statusCode: number;
	headers: Record<string, unknown>;
}

/** One answer of the service, as bytes. */
export interface ArgyleResponse extends ResponseHead {
	body: Buffer;
}

/** One answer of the service whose bytes are still under way. */
export interface StreamedResponse extends ResponseHead {
	body: ByteStream;
}

function toHead(answer: unknown): (ResponseHead & { body: unknown }) | undefined {
	if (!isJsonRecord(answer) || typeof answer.statusCode !== 'number') return undefined;
	return {
		statusCode: answer.statusCode,
		headers: isJsonRecord(answer.headers) ? { ...answer.headers } : {},
		body: answer.body,
	};
}

/** Takes what n8n's request helper gave for a full answer in bytes; gives the answer, undefined when it is none. */
export function toResponse(answer: unknown): ArgyleResponse | undefined {
	const head = toHead(answer);
	return head && { ...head, body: Buffer.isBuffer(head.body) ? head.body : Buffer.alloc(0) };
}

/** Takes what n8n's request helper gave for an answer as a stream; gives the answer, undefined when it is none. */
export function toStreamedResponse(answer: unknown): StreamedResponse | undefined {
	const head = toHead(answer);
	return head !== undefined && isByteStream(head.body) ? { ...head, body: head.body } : undefined;
}

/** Takes an answer; tells whether it is a success. */
export function isSuccess({ statusCode }: ResponseHead): boolean {
	return statusCode >= 200 && statusCode <= 299;
}

/**
 * Takes an answer; gives " Trace ID …." for Argyle's support (`X-Trace-Id`, seen on every recorded reply), or '' when
 * the answer carries none.
 */
export function traceOf({ headers }: ResponseHead): string {
	const trace = headers['x-trace-id'];
	return typeof trace === 'string' && /^[\w-]{1,100}$/.test(trace) ? ` Trace ID ${trace}.` : '';
}
