import type { ArgyleClient } from '../transport/client';
import { readPrefix } from '../transport/download';
import { MAX_DETAIL_BYTES } from '../transport/errorDetail';
import { ArgyleError } from '../transport/errors';
import { fileUrl, redirectedUrl, targetOf } from '../transport/fileAddress';
import { type ByteStream, isRedirect, type StreamedResponse, traceSentence } from '../transport/request';
import { fileNameFromHeader, safeFileName } from '../utils/fileName';
import { mediaTypeOf } from '../utils/mediaType';
import { addressIn } from './fileInRecord';
import { getRecord } from './records';
import type { RecordType, FileField } from './recordTypes';

interface IncomingFile {
	/** A file of a few bytes comes as a Buffer. */
	bytes: ByteStream | Buffer;
	/** Safe for every file system. */
	fileName: string;
	/** Undefined when neither the response nor the bytes say it. */
	mimeType: string | undefined;
}

const FILE_KINDS = [
	{ signature: /^%PDF-/, mimeType: 'application/pdf', extension: '.pdf' },
	{ signature: /^\x89PNG/, mimeType: 'image/png', extension: '.png' },
	{ signature: /^\xff\xd8\xff/, mimeType: 'image/jpeg', extension: '.jpg' },
	{ signature: /^\s*[{[]/, mimeType: 'application/json', extension: '.json' },
];

const HTML_PAGE = /^\s*<(!doctype html|html)\b/i;

/** The first bytes of a file, enough to tell what it is. */
const SIGNATURE_BYTES = 256;

/** The media types that a server gives to bytes of which it knows nothing. */
const UNKNOWN_TYPE = /^(application|binary)\/octet-stream$/;

/**
 * Downloads the file of a record, from an address that may redirect (Argyle's OpenAPI file: `file_url`, and `json_url`
 * of reports and verifications). `consume` may be called again after a download that broke off. Throws ArgyleError when
 * there is no file, or when an empty file or a web page comes.
 */
export async function downloadFile<T>(
	client: ArgyleClient,
	recordType: RecordType,
	id: string,
	field: FileField,
	consume: (file: IncomingFile) => Promise<T>,
): Promise<T> {
	const record = await getRecord(client, recordType, id);
	const address = addressIn(record, recordType, field);
	return await streamFrom(client, address, `file of ${recordType.one} ${id}`, async (response) => {
		const { headers, body } = response;
		const prefix = await readPrefix(body, SIGNATURE_BYTES);
		const start = prefix.toString('latin1');
		const type = declaredType(headers['content-type']);
		if (prefix.length === 0) throw noFile(response, 'Argyle sent an empty file', 'It has no bytes.');
		if (type === 'text/html' || HTML_PAGE.test(start)) {
			const detail = client.detailOf(Buffer.concat([prefix, await readPrefix(body, MAX_DETAIL_BYTES)]));
			throw noFile(response, 'Argyle sent a web page instead of the file', detail && `It says: ${detail}.`);
		}
		// Nothing can be put back into a stream that has ended.
		const isComplete = prefix.length < SIGNATURE_BYTES;
		if (!isComplete) body.unshift(prefix);
		const kind = FILE_KINDS.find(({ mimeType, signature }) =>
			type === undefined ? signature.test(start) : type === mimeType,
		);
		return await consume({
			bytes: isComplete ? prefix : body,
			fileName: withId(
				fileNameFromHeader(headers['content-disposition']) ||
					safeFileName(String(record.file_name ?? '')) ||
					`${recordType.one.replaceAll(' ', '-')}${kind?.extension ?? ''}`,
				id,
			),
			mimeType: type ?? kind?.mimeType,
		});
	});
}

/**
 * The files of several people often have one name, such as W-2.pdf. In an archive or a folder, one of them would
 * replace the others.
 */
const withId = (name: string, id: string) => (name.includes(id) ? name : name.replace(/(\.\w{1,10})?$/, `-${id}$1`));

function declaredType(header: unknown): string | undefined {
	const type = mediaTypeOf(header);
	return type === undefined || UNKNOWN_TYPE.test(type) ? undefined : type;
}

async function streamFrom<T>(
	client: ArgyleClient,
	address: string,
	subject: string,
	consume: (response: StreamedResponse) => Promise<T>,
): Promise<T> {
	const asked = [fileUrl(address, client.environment.origin)];
	for (;;) {
		const request = {
			...targetOf(asked[asked.length - 1], client.environment),
			method: 'GET' as const,
			accept: '*/*',
			subject,
			acceptsRedirect: true,
		};
		const outcome: { result: T } | { location: unknown } = await client.stream(request, async (response) =>
			isRedirect(response) ? { location: response.headers.location } : { result: await consume(response) },
		);
		if ('result' in outcome) return outcome.result;
		asked.push(redirectedUrl(outcome.location, asked));
	}
}

function noFile(response: StreamedResponse, message: string, detail: string): ArgyleError {
	const advice = "Run the node again; if this goes on, ask Argyle's support.";
	const sentences = [detail, advice].filter((sentence) => sentence !== '').join(' ');
	return new ArgyleError(message, `${sentences}${traceSentence(response)}`, { statusCode: response.statusCode });
}
