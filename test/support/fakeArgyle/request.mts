import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface ReceivedFile {
	name: string;
	type: string;
	size: number;
	sha256: string;
}

export interface ApiRequest {
	method: string;
	url: URL;
	authorization: string | undefined;
	/** Undefined when empty; the text when it is no JSON; of a form its fields, in their order. */
	body: unknown;
	hasValidBody: boolean;
	isForm: boolean;
	/** Whether the length of the body was told before it came. */
	hasLength: boolean;
}

export async function readRequest(request: IncomingMessage, origin: string): Promise<ApiRequest> {
	const { method = 'GET', url = '/', headers } = request;
	const type = headers['content-type'] ?? '';
	const isForm = type.startsWith('multipart/form-data');
	const bytes = await buffer(request);
	return {
		method,
		url: new URL(url, origin),
		authorization: headers.authorization,
		isForm,
		hasLength: headers['content-length'] !== undefined,
		...(isForm ? await parseForm(bytes, type) : parseBody(bytes.toString())),
	};
}

function parseBody(text: string): Pick<ApiRequest, 'body' | 'hasValidBody'> {
	try {
		return { body: text === '' ? undefined : JSON.parse(text), hasValidBody: true };
	} catch {
		return { body: text, hasValidBody: false };
	}
}

async function parseForm(bytes: Buffer, type: string): Promise<Pick<ApiRequest, 'body' | 'hasValidBody'>> {
	const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } })
		.formData()
		.catch(() => undefined);
	if (form === undefined) return { body: undefined, hasValidBody: false };
	const body: Record<string, string | ReceivedFile> = {};
	for (const [name, value] of form.entries()) body[name] = typeof value === 'string' ? value : await received(value);
	return { body, hasValidBody: true };
}

async function received(file: File): Promise<ReceivedFile> {
	const { name, type, size } = file;
	const sha256 = createHash('sha256')
		.update(Buffer.from(await file.arrayBuffer()))
		.digest('hex');
	return { name, type, size, sha256 };
}
