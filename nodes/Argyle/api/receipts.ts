import type { ArgyleClient } from './client';
import { fileNameOf } from './contentDisposition';
import { ArgyleError } from './errors';
import { traceOf } from './response';

/** A receipt as the service sent it. */
export interface Receipt {
	bytes: Buffer;
	/** From `Content-Disposition`, made safe; undefined when the service names none. */
	fileName: string | undefined;
}

/** A receipt with many transactions takes the service longer than a record does. */
const RECEIPT_TIMEOUT_MS = 120_000;

const PDF_START = '%PDF-';

/**
 * Takes the id of a user; gives the PDF that lists all billable transactions of the user (POST /v2/receipts, Argyle's
 * receipts page). Throws ArgyleError when the answer is an error, or no PDF whatever its status says.
 */
export async function generateReceipt(client: ArgyleClient, user: string): Promise<Receipt> {
	const response = await client.send({
		method: 'POST',
		path: '/v2/receipts',
		body: { user },
		accept: 'application/pdf, application/json',
		subject: `user ${user}`,
		timeoutMs: RECEIPT_TIMEOUT_MS,
		// A receipt only reads the account's transactions.
		isRepeatable: true,
	});
	if (response.body.subarray(0, PDF_START.length).toString('latin1') !== PDF_START) {
		const detail = client.detailOf(response);
		throw new ArgyleError(
			'Argyle sent something else instead of a PDF receipt',
			`${detail ? `Argyle says: ${detail}` : 'The answer has no readable text.'} Try again; if this goes on, ask Argyle's support.${traceOf(response)}`,
			{ statusCode: response.statusCode },
		);
	}
	return { bytes: response.body, fileName: fileNameOf(response.headers['content-disposition']) };
}
