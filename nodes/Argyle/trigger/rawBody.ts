import type { IWebhookFunctions } from 'n8n-workflow';

/** What n8n adds to an incoming request. */
interface RawRequest {
	rawBody?: unknown;
	readRawBody?: () => Promise<void>;
}

/**
 * The bytes of an incoming call, undefined when n8n has none. For a trigger of version 2, n8n reads a body that it
 * can't parse only on request; a multipart form is not available as bytes at all (n8n's body-parser.js).
 */
export async function readRawBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request: RawRequest = context.getRequestObject();
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => undefined);
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}
