import { NOT_NEEDED, paceClock } from '../utils/clock';
import { errorFromNoResponse, type RequestInfo } from './errorMapper';
import { ArgyleError } from './errors';
import type { ByteStream, StreamedResponse } from './request';

const MIB = 1024 * 1024;

/** As much as n8n itself stores of one file in its database (N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE). */
const MAX_BYTES = 512 * MIB;

/**
 * A body that brings less than this in half a minute counts as broken off. Even a modem is six times as fast. The whole
 * body has no deadline, because 512 MiB may take hours over a slow line.
 */
const PACE = { bytes: 30 * 1024, ms: 30_000 };

/** The reason for ending a slow body. It has a `code`, as the errors of connections have. */
export const TOO_SLOW = Object.assign(new Error('The body comes too slowly'), { code: 'TOO_SLOW' });

/**
 * Streams the body into `consume`. Aborts the request if the body was not read to its end. `consume` may fail because
 * the body breaks off, or brings less than 30 KiB in 30 s. Then this throws an ArgyleError that says so in place of the
 * error of `consume`. It also throws an ArgyleError for a body of more than 512 MiB.
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
			failure ??= TOO_SLOW;
			request.abort();
		});
		// As in `readAnswer`: without a listener, Node ends the process when a stream fails while nobody reads it.
		body.on('error', () => undefined);
		// If `consume` stops reading early, the stream would otherwise stay open until it counts as too slow.
		return await consume({ ...response, body }).finally(() => body.destroy());
	} catch (caught) {
		throw failure === undefined || caught instanceof ArgyleError ? caught : errorFromNoResponse(failure, info);
	} finally {
		// It would not be enough to destroy the stream: n8n's stream frees the connection only when its next bytes come.
		if (!source.readableEnded) request.abort();
	}
}

/**
 * Returns a stream with the same bytes, which fails beyond `maxBytes`. Calls `onSlow` if less than 30 KiB come in 30 s.
 */
export function withLimits(stream: ByteStream, maxBytes: number, onSlow: () => void): ByteStream {
	let received = 0;
	const closed = new AbortController();
	const limited: ByteStream = stream.map((chunk: Buffer) => {
		received += chunk.length;
		if (received > maxBytes) throw tooLarge();
		return chunk;
	});
	limited.once('close', () => closed.abort(NOT_NEEDED));

	async function watchPace(): Promise<void> {
		for (let before = -PACE.bytes; received - before >= PACE.bytes && !closed.signal.aborted; ) {
			before = received;
			await paceClock.pause(PACE.ms, closed.signal);
		}
		if (!closed.signal.aborted) onSlow();
	}
	void watchPace();
	return limited;
}

/** Reads at least `length` bytes from the stream, or fewer if it ends before. The rest stays in the stream. */
export async function readPrefix(stream: ByteStream, length: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
		const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
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
