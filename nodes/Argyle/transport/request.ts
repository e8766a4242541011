import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isDataObject } from '../utils/json';
import type { ApiKey } from './apiKey';
import type { ArgyleError } from './errors';

/** Every n8n context in which this package calls Argyle. */
export type ArgyleContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** The words of the error for a request that may have been carried out although no answer says so. */
export interface UnclearOutcome {
	/** Completes "It is not known whether …", such as "the invite was sent". */
	what: string;
	/** Where a person finds out, such as "Invite: Get Many". */
	check: string;
}

/** A stream of bytes as n8n's request helper returns it and n8n's binary store takes it. */
export type ByteStream = Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;

/** A body that is read while it is sent. */
export interface Upload {
	contentType: string;
	/** In bytes. It must be known before the body is sent, because many services refuse a body of unknown length. */
	contentLength: number;
	/** Opens the body for one try. */
	open(): Promise<OpenUpload>;
}

export interface OpenUpload {
	body: ByteStream | Buffer;
	/** Whether the file's last byte was read. Before that, the service can't have accepted the file. */
	isSent(): boolean;
	/** Why the body could not be read as a whole. Undefined if reading it has not failed. */
	failure(): ArgyleError | undefined;
	/** Frees the file, whatever became of the request. */
	close(): void;
}

export interface ArgyleRequest {
	method: IHttpRequestMethods;
	/**
	 * The origin of another host than the credential's. No credential goes there, and requests to it don't count towards
	 * Argyle's limit. @default the credential's origin
	 */
	origin?: string;
	/** From the host on, such as `/v2/webhooks`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** In place of `body`. */
	upload?: Upload;
	/** @default 'application/json' */
	accept?: string;
	/** For each try. @default the client's time-out */
	timeoutMs?: number;
	/** Whether two equal requests do the same as one (RFC 9110, 9.2.2). @default true for GET and DELETE */
	isIdempotent?: boolean;
	/** What the call is about, such as "user 1234", for the message of a 404. */
	subject: string;
	/** Values in the body that must not appear in any error. */
	secrets?: string[];
	/**
	 * The words for an unclear answer, for a request that must not be sent twice. @default the words of any failed request
	 */
	unclear?: UnclearOutcome;
	/** Whether a redirect is a response like any other, rather than a failure. @default false */
	acceptsRedirect?: boolean;
}

/** A request with its time-out filled in. */
export type TimedRequest = ArgyleRequest & { timeoutMs: number };

/** The context and the credential with which a request is sent, and the signal that aborts it. */
export interface RequestScope extends Pick<ApiKey, 'credential' | 'environment'> {
	context: ArgyleContext;
	signal: AbortSignal | undefined;
}

interface ResponseHead {
	statusCode: number;
	/** Names in lower case. */
	headers: Record<string, unknown>;
}

export interface ArgyleResponse extends ResponseHead {
	body: Buffer;
}

/** A response whose body is still coming in. */
export interface StreamedResponse extends ResponseHead {
	body: ByteStream;
}

/**
 * Sends a request once; follows no redirect. The credential goes only to the origin of its own environment. Resolves
 * while the body still comes in, whatever the status is. Resolves with undefined when n8n's helper returned no
 * response, and rejects with what the helper throws.
 */
export async function sendStreamedRequest(
	scope: RequestScope,
	request: TimedRequest,
): Promise<StreamedResponse | undefined> {
	// Asks for an uncompressed body, so that Node can compare its length with its Content-Length.
	const options: Partial<IHttpRequestOptions> = { encoding: 'stream', headers: { 'Accept-Encoding': 'identity' } };
	return toStreamedResponse(await callHelper(scope, request, options));
}

export async function callHelper(
	{ context, credential, environment, signal }: RequestScope,
	request: TimedRequest,
	{ headers, ...more }: Partial<IHttpRequestOptions>,
): Promise<unknown> {
	// n8n's helper sends no body for an object without fields.
	const isEmptyObject = request.body !== undefined && Object.keys(request.body).length === 0;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${request.origin ?? environment.origin}${request.path}`,
		qs: request.query,
		body: isEmptyObject ? '{}' : request.body,
		headers: {
			Accept: request.accept ?? 'application/json',
			...(isEmptyObject ? { 'Content-Type': 'application/json' } : {}),
			...headers,
		},
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.timeoutMs,
		abortSignal: signal,
		...more,
	};
	// This helper takes the signal from its options.
	if (request.origin !== undefined) return await context.helpers.httpRequest(options);
	// Without the decrypted credential, n8n would fetch and decrypt it again for each request.
	const credentialsDecrypted = { id: '', name: '', type: 'argyleApi', data: credential };
	const httpRequest = context.helpers.httpRequestWithAuthentication;
	return await httpRequest.call(withCancelSignal(context, signal), 'argyleApi', options, { credentialsDecrypted });
}

/** n8n's helper with authentication ignores the signal in its options, and uses the one that the context returns. */
function withCancelSignal(context: ArgyleContext, signal: AbortSignal | undefined): ArgyleContext {
	const derived: ArgyleContext = Object.create(context, { getExecutionCancelSignal: { value: () => signal } });
	return derived;
}

/** Returns a full response whose body n8n's request helper returned in bytes, and undefined for anything else. */
export function toResponse(response: unknown): ArgyleResponse | undefined {
	const head = toHead(response);
	return head && Buffer.isBuffer(head.body) ? { ...head, body: head.body } : undefined;
}

/** Returns a full response whose body n8n's request helper returned as a stream, and undefined for anything else. */
export function toStreamedResponse(response: unknown): StreamedResponse | undefined {
	const head = toHead(response);
	return head && isByteStream(head.body) ? { ...head, body: head.body } : undefined;
}

function toHead(response: unknown): (ResponseHead & { body: unknown }) | undefined {
	if (!isDataObject(response) || typeof response.statusCode !== 'number') return undefined;
	const { statusCode, headers, body } = response;
	return { statusCode, headers: isDataObject(headers) ? { ...headers } : {}, body };
}

function isByteStream(value: unknown): value is ByteStream {
	return isDataObject(value) && typeof value.iterator === 'function' && typeof value.unshift === 'function';
}

export function isSuccess({ statusCode }: ResponseHead): boolean {
	return statusCode >= 200 && statusCode <= 299;
}

export function isRedirect({ statusCode }: ResponseHead): boolean {
	return [301, 302, 303, 307, 308].includes(statusCode);
}

/**
 * Returns a sentence with the response's trace ID (`X-Trace-Id`), for which Argyle's support asks, or '' without one.
 * All responses that were recorded from Argyle have one.
 */
export function traceSentence({ headers }: ResponseHead): string {
	const trace = headers['x-trace-id'];
	return typeof trace === 'string' && /^[\w-]{1,100}$/.test(trace) ? ` Trace ID ${trace}.` : '';
}
