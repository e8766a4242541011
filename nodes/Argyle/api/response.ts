import { isJsonRecord } from './guards';

/** One answer of the service, as bytes. Header names are in lower case. */
export interface ArgyleResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: Buffer;
}

/** Takes what n8n's request helper gave for a full answer in bytes; gives the answer, undefined when it is none. */
export function toResponse(answer: unknown): ArgyleResponse | undefined {
	if (!isJsonRecord(answer) || typeof answer.statusCode !== 'number') return undefined;
	return {
		statusCode: answer.statusCode,
		headers: isJsonRecord(answer.headers) ? { ...answer.headers } : {},
		body: Buffer.isBuffer(answer.body) ? answer.body : Buffer.alloc(0),
	};
}

/** Takes an answer; tells whether it is a success. */
export function isSuccess({ statusCode }: ArgyleResponse): boolean {
	return statusCode >= 200 && statusCode <= 299;
}

/**
 * Takes an answer; gives " Trace ID …." for Argyle's support (`X-Trace-Id`, seen on every recorded reply), or '' when
 * the answer carries none.
 */
export function traceOf({ headers }: ArgyleResponse): string {
	const trace = headers['x-trace-id'];
	return typeof trace === 'string' && /^[\w-]{1,100}$/.test(trace) ? ` Trace ID ${trace}.` : '';
}
