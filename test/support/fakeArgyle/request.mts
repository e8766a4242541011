import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface ApiRequest {
	method: string;
	url: URL;
	authorization: string | undefined;
	/** Undefined when empty; the text when it is no JSON. */
	body: unknown;
	hasValidBody: boolean;
}

export async function readRequest(request: IncomingMessage, origin: string): Promise<ApiRequest> {
	return {
		method: request.method ?? 'GET',
		url: new URL(request.url ?? '/', origin),
		authorization: request.headers.authorization,
		...parseBody((await buffer(request)).toString()),
	};
}

function parseBody(text: string): Pick<ApiRequest, 'body' | 'hasValidBody'> {
	try {
		return { body: text === '' ? undefined : JSON.parse(text), hasValidBody: true };
	} catch {
		return { body: text, hasValidBody: false };
	}
}
