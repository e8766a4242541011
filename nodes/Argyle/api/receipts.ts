import type { ArgyleClient } from '../transport/client';
import { fileNameOf } from '../utils/fileName';
import { LONGEST_READ } from '../transport/errorDetail';
import { ArgyleError } from '../transport/errors';
import { type StreamedResponse, traceOf } from '../transport/response';
import { type ByteStream, readPrefix } from '../transport/byteStream';

/** A receipt while it comes in. */
export interface IncomingReceipt {
	bytes: ByteStream;
	/** From `Content-Disposition`, made safe; undefined when the service names none. */
	fileName: string | undefined;
}

/** A receipt with many transactions takes the service longer than a record does. */
const RECEIPT_TIMEOUT_MS = 120_000;

const PDF_START = '%PDF-';

/**
 * Takes the id of a user and what keeps a receipt while it comes in, which may be called again when one breaks off; has the PDF made that lists all
 * billable transactions of the user (POST /v2/receipts, Argyle's receipts page), and gives what `keep` gives. Throws ArgyleError when
 * the answer is an error, or no PDF whatever its status says.
 */
export async function generateReceipt<T>(
	client: ArgyleClient,
	user: string,
	keep: (receipt: IncomingReceipt) => Promise<T>,
): Promise<T> {
	const request = {
		method: 'POST' as const,
		path: '/v2/receipts',
		body: { user },
		accept: 'application/pdf, application/json',
		subject: `user ${user}`,
		timeoutMs: RECEIPT_TIMEOUT_MS,
		// A receipt only reads the account's transactions.
		isIdempotent: true,
	};
	return await client.stream(request, async (response) => {
		const { headers, body } = response;
		const start = await readPrefix(body, PDF_START.length);
		if (start.subarray(0, PDF_START.length).toString('latin1') !== PDF_START) {
			throw explainNoPdf(client, response, Buffer.concat([start, await readPrefix(body, LONGEST_READ)]));
		}
		body.unshift(start);
		return await keep({ bytes: body, fileName: fileNameOf(headers['content-disposition']) });
	});
}

function explainNoPdf(client: ArgyleClient, response: StreamedResponse, text: Buffer): ArgyleError {
	const detail = client.detailOf(text);
	return new ArgyleError(
		'Argyle sent something else instead of a PDF receipt',
		`${detail ? `Argyle says: ${detail}` : 'The answer has no readable text.'} Try again; if this goes on, ask Argyle's support.${traceOf(response)}`,
		{ statusCode: response.statusCode },
	);
}
