import { randomUUID } from 'node:crypto';

import { mediaTypeOf } from '../utils/mediaType';
import { sendRequest } from './answer';
import { errorFromNoResponse, type RequestInfo } from './errorMapper';
import { ArgyleError } from './errors';
import type { ArgyleResponse, ByteStream, OpenUpload, RequestScope, TimedRequest, Upload } from './request';

export interface UploadedFile {
	/** Safe for a header, as `safeFileName` makes it. */
	fileName: string;
	mimeType: string;
	/** In bytes. */
	size: number;
	/** Opens the file from its beginning. Each try calls this. */
	open(): Promise<ByteStream | Buffer>;
}

const textPart = (boundary: string, name: string, value: string) =>
	`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const filePart = (boundary: string, name: string, { fileName, mimeType }: UploadedFile) =>
	`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n` +
	`Content-Type: ${mediaTypeOf(mimeType) ?? 'application/octet-stream'}\r\n\r\n`;

/**
 * Makes a body of multipart/form-data (RFC 7578): the fields in their order, then the file under `fileField`. It writes
 * the parts itself, because the package may have no dependency that does this, and n8n's lint forbids `node:stream`.
 */
export function multipart(fields: Record<string, string>, fileField: string, file: UploadedFile): Upload {
	const boundary = `n8n-nodes-argyle-${randomUUID()}`;
	const texts = Object.entries(fields).map(([name, value]) => textPart(boundary, name, value));
	const head = Buffer.from(`${texts.join('')}${filePart(boundary, fileField, file)}`);
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		contentLength: head.length + file.size + tail.length,
		async open() {
			const content = await file.open();
			return Buffer.isBuffer(content) ? framedBytes(content, head, tail) : framedStream(content, file.size, head, tail);
		},
	};
}

function framedBytes(content: Buffer, head: Buffer, tail: Buffer): OpenUpload {
	const body = Buffer.concat([head, content, tail]);
	return { body, isSent: () => true, failure: () => undefined, close: () => {} };
}

const notOfItsSize = () =>
	new ArgyleError(
		"The file could not be read as a whole from n8n's binary store",
		'It has another size than n8n says. Let the workflow make or fetch the file again, then run the node again.',
	);

/** Puts the file between `head` and `tail`, as a stream. Only what the file's stream has read ahead is in memory. */
function framedStream(file: ByteStream, size: number, head: Buffer, tail: Buffer): OpenUpload {
	const end = head.length + size;
	let read = 0;
	let failure: ArgyleError | undefined;
	file.unshift(head);
	const body: ByteStream = file.flatMap((chunk: Buffer) => {
		read += chunk.length;
		if (read > end) throw (failure = notOfItsSize());
		return read === end ? [chunk, tail] : [chunk];
	});
	// If the file is too short, the service would wait for the rest.
	file.once('end', () => {
		if (read !== end) body.destroy((failure = notOfItsSize()));
	});
	file.once('error', () => (failure ??= notOfItsSize()));
	return {
		body,
		isSent: () => read >= end,
		failure: () => failure,
		close() {
			body.on('error', () => undefined).destroy();
			file.on('error', () => undefined).destroy();
		},
	};
}

/** How long the upload may stand still. The whole upload may take `timeoutMs`. */
const SILENCE_MS = 120_000;

/**
 * As `sendRequest`, with the upload as its body. Throws ArgyleError if the service certainly can't have got the whole
 * file. Then it does no harm to send the file again.
 */
export async function sendUpload(
	scope: RequestScope,
	request: TimedRequest,
	{ contentType, contentLength, open }: Upload,
	info: RequestInfo,
): Promise<ArgyleResponse | undefined> {
	const { body, isSent, failure, close } = await open();
	const headers = { 'Content-Type': contentType, 'Content-Length': contentLength };
	return await sendRequest(scope, request, { body, headers, timeout: SILENCE_MS })
		.catch((error: unknown) => {
			throw failure() ?? (isSent() ? error : errorFromNoResponse(error, { ...info, isMutation: false }));
		})
		.finally(close);
}
