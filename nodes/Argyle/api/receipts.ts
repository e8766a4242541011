import type { ArgyleClient } from '../transport/client';
import { readPrefix } from '../transport/download';
import { MAX_DETAIL_BYTES } from '../transport/errorDetail';
import { ArgyleError } from '../transport/errors';
import { type ByteStream, type StreamedResponse, traceSentence } from '../transport/request';

/** A receipt with many transactions takes Argyle longer than a record does. */
const RECEIPT_TIMEOUT_MS = 120_000;

const PDF_SIGNATURE = '%PDF-';

/**
 * POST /v2/receipts (Argyle's receipts page): a PDF of all billable transactions of a user. `consume` may be called
 * again after a download that broke off. Throws ArgyleError unless the body is a PDF, whatever its status says.
 */
export async function generateReceipt<T>(
	client: ArgyleClient,
	user: string,
	consume: (pdf: ByteStream) => Promise<T>,
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
		const { body } = response;
		const prefix = await readPrefix(body, PDF_SIGNATURE.length);
		if (prefix.subarray(0, PDF_SIGNATURE.length).toString('latin1') !== PDF_SIGNATURE) {
			throw notAPdf(client, response, Buffer.concat([prefix, await readPrefix(body, MAX_DETAIL_BYTES)]));
		}
		body.unshift(prefix);
		return await consume(body);
	});
}

function notAPdf(client: ArgyleClient, response: StreamedResponse, body: Buffer): ArgyleError {
	const detail = client.detailOf(body);
	return new ArgyleError(
		'Argyle sent something else instead of a PDF receipt',
		`${detail ? `Argyle says: ${detail}` : 'The answer has no readable text.'} Run the node again; if this goes on, ask Argyle's support.${traceSentence(response)}`,
		{ statusCode: response.statusCode },
	);
}
