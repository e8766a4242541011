import { ArgyleError } from './errors';
import { errorFromNoResponse, type RequestInfo } from './errorMapper';
import type { StreamedResponse } from './response';
import { withLimits } from './byteStream';

const MIB = 1024 * 1024;

/** As much as n8n itself keeps of one file in its database (N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE). */
const MOST_BYTES = 512 * MIB;

/** An answer that has begun and of which nothing more comes for so long has broken off. */
const IDLE_MS = 30_000;

const TIMED_OUT = { code: 'ETIMEDOUT' };

function explainTooLarge(): ArgyleError {
	return new ArgyleError(
		`The file that Argyle sent is larger than ${MOST_BYTES / MIB} MB`,
		"It was not kept. Ask Argyle's support for this one file.",
	);
}

/**
 * Takes an answer whose bytes are under way, what ends its request, and what keeps the bytes; gives what `keep` gives. The request
 * is ended in every case. Throws ArgyleError when the bytes break off, whatever `keep` makes of that, when nothing comes for
 * 30 s, and when there are more than 512 MiB.
 */
export async function download<T>(
	response: StreamedResponse,
	request: AbortController,
	call: RequestInfo,
	keep: (response: StreamedResponse) => Promise<T>,
): Promise<T> {
	const source = response.body;
	let broken: unknown;
	source.on('error', (error) => (broken ??= error));
	try {
		if (Number(response.headers['content-length']) > MOST_BYTES) throw explainTooLarge();
		const body = withLimits(source, {
			maxBytes: MOST_BYTES,
			tooLargeError: explainTooLarge,
			idleMs: IDLE_MS,
			onIdle: () => {
				broken ??= TIMED_OUT;
				request.abort();
			},
		});
		// Whoever reads hears of it; when nobody reads any more, nobody has to.
		body.on('error', () => undefined);
		return await keep({ ...response, body });
	} catch (caught) {
		throw broken === undefined || caught instanceof ArgyleError ? caught : errorFromNoResponse(broken, call);
	} finally {
		// Destroying the stream would not be enough: n8n's waits for its next bytes before it lets go of the connection.
		if (!source.readableEnded) request.abort();
	}
}
