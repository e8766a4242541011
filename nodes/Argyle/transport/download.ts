import { clock } from '../utils/clock';
import { errorFromNoResponse, type RequestInfo } from './errorMapper';
import { ArgyleError } from './errors';
import type { ByteStream, StreamedResponse } from './request';

const MIB = 1024 * 1024;

/** As much as n8n itself stores of one file in its database (N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE). */
const MAX_BYTES = 512 * MIB;

/** A body of which nothing arrives for this long has broken off. */
const IDLE_TIMEOUT_MS = 30_000;

const TIMED_OUT = { code: 'ETIMEDOUT' };

/** Apart from the clock of retries: a test that skips their waits must not make a stream idle. */
export const idleClock = { pause: clock.pause };

/**
 * Streams the body into `consume`. Always aborts the request. Throws ArgyleError on a body that breaks off, 30 s of
 * silence, or more than 512 MiB, even if `consume` swallowed the stream's error.
 */
export async function download<T>(
	response: StreamedResponse,
	request: AbortController,
	info: RequestInfo,
	consume: (response: StreamedResponse) => Promise<T>,
): Promise<T> {
	const source = response.body;
	let failure: unknown;
	source.on('error', (error) => (failure ??= error));
	try {
		if (Number(response.headers['content-length']) > MAX_BYTES) throw tooLarge();
		const body = withLimits(source, MAX_BYTES, () => {
			failure ??= TIMED_OUT;
			request.abort();
		});
		// Whoever reads the body gets its error; when nobody reads any more, nobody needs it.
		body.on('error', () => undefined);
		// An unread one would wait for its next bytes to the end of the limit.
		return await consume({ ...response, body }).finally(() => body.destroy());
	} catch (caught) {
		throw failure === undefined || caught instanceof ArgyleError ? caught : errorFromNoResponse(failure, info);
	} finally {
		// Destroying the stream would not be enough: n8n's waits for its next bytes before it frees the connection.
		if (!source.readableEnded) request.abort();
	}
}

/** Passes the stream through; it fails beyond `maxBytes`, and calls `onIdle` after 30 s without a chunk. */
export function withLimits(stream: ByteStream, maxBytes: number, onIdle: () => void): ByteStream {
	let received = 0;
	const closed = new AbortController();
	const limited: ByteStream = stream.map((chunk: Buffer) => {
		received += chunk.length;
		if (received > maxBytes) throw tooLarge();
		return chunk;
	});
	limited.once('close', () => closed.abort());

	async function watchIdleness(): Promise<void> {
		for (let before = -1; before !== received && !closed.signal.aborted; ) {
			before = received;
			await idleClock.pause(IDLE_TIMEOUT_MS, closed.signal);
		}
		if (!closed.signal.aborted) onIdle();
	}
	void watchIdleness();
	return limited;
}

/** Reads at least `length` bytes out of the stream, fewer only at its end; the rest stays in it. */
export async function readPrefix(stream: ByteStream, length: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
		const part = Buffer.from(chunk);
		chunks.push(part);
		bytes += part.length;
		if (bytes >= length) break;
	}
	return Buffer.concat(chunks);
}

function tooLarge(): ArgyleError {
	return new ArgyleError(
		`The file that Argyle sent is larger than ${MAX_BYTES / MIB} MB`,
		"It was not kept. Ask Argyle's support for this one file.",
	);
}
