import type { IWebhookFunctions } from 'n8n-workflow';

/** What n8n makes of an incoming call. */
interface RawRequest {
	rawBody?: unknown;
	readRawBody?: () => Promise<void>;
}

/**
 * Takes an incoming call; gives its bytes as they came, undefined when n8n has none or can't read them. For a trigger of version 2, n8n
 * reads a body that it can't parse only when it is asked to; a form with files it takes apart (its body-parser.js).
 */
export async function readRawBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request: RawRequest = context.getRequestObject();
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => undefined);
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}
