import type { IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../utils/clock';
import { isJsonRecord } from '../utils/json';

/** A stream of bytes as n8n's request helper gives it and n8n's binary store takes it. */
export type ByteStream = Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;

/** Takes anything; tells whether it is a stream that can be read. */
export function isByteStream(value: unknown): value is ByteStream {
	return isJsonRecord(value) && typeof value.iterator === 'function' && typeof value.unshift === 'function';
}

/**
 * Takes a stream and how many bytes of its beginning are wanted; gives at least so many, fewer only when it has no
 * more. They are taken out of the stream, which goes on behind them. Rejects with what the stream fails with.
 */
export async function readPrefix(stream: ByteStream, bytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let taken = 0;
	for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
		const part = Buffer.from(chunk);
		chunks.push(part);
		taken += part.length;
		if (taken >= bytes) break;
	}
	return Buffer.concat(chunks);
}

/** Apart from the clock of retries: a test that skips their waits must not make a stream idle. */
export const idleClock = { pause: clock.pause };

/** What a stream may not do, and what comes of it. */
export interface StreamLimits {
	maxBytes: number;
	tooLargeError(): Error;
	/** Milliseconds without a byte. */
	idleMs: number;
	onIdle(): void;
}

/** Takes a stream; gives it on, chunk by chunk. It fails when it grows too large; when nothing comes for too long, that is told. */
export function withLimits(
	stream: ByteStream,
	{ maxBytes: maxBytes, tooLargeError: tooLargeError, idleMs, onIdle: onIdle }: StreamLimits,
): ByteStream {
	let received = 0;
	const over = new AbortController();
	const passed: ByteStream = stream.map((chunk: Buffer) => {
		received += chunk.length;
		if (received > maxBytes) throw tooLargeError();
		return chunk;
	});
	passed.once('close', () => over.abort());

	async function tellWhenIdle(): Promise<void> {
		for (let before = -1; before !== received && !over.signal.aborted; ) {
			before = received;
			await idleClock.pause(idleMs, over.signal);
		}
		if (!over.signal.aborted) onIdle();
	}
	void tellWhenIdle();
	return passed;
}
