import { Readable } from 'node:stream';
import { idleClock, readPrefix, withLimits } from '../../../nodes/Argyle/transport/download';
import type { ByteStream } from '../../../nodes/Argyle/transport/request';

const streamOf = (...chunks: string[]) =>
	Readable.from(
		chunks.map((chunk) => Buffer.from(chunk)),
		{ objectMode: false },
	);

async function readAll(stream: ByteStream): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

afterEach(() => jest.restoreAllMocks());

describe('readPrefix', () => {
	it.each<[string[], number, string, string]>([
		[['%PDF-1.7', ' rest'], 5, '%PDF-1.7', ' rest'],
		[['%', 'P', 'D', 'F', '-', '1'], 5, '%PDF-', '1'],
		[['abc'], 5, 'abc', ''],
		[[], 5, '', ''],
	])(
		'reads from the chunks %p a prefix of at least %d bytes and leaves the rest',
		async (chunks, bytes, start, left) => {
			const stream = streamOf(...chunks);
			expect((await readPrefix(stream, bytes)).toString()).toBe(start);
			expect(await readAll(stream)).toBe(left);
		},
	);

	it('leaves a stream into which the prefix can be unshifted, even at its end', async () => {
		const stream = streamOf('%PDF-1.7');
		stream.unshift(await readPrefix(stream, 5));
		expect(await readAll(stream)).toBe('%PDF-1.7');
	});

	it('rejects with the error of the stream while a prefix is read', async () => {
		const stream = new Readable({ read() {} });
		const prefix = readPrefix(stream, 5);
		stream.destroy(new Error('broken off'));
		await expect(prefix).rejects.toThrow('broken off');
	});
});

describe('withLimits', () => {
	const ignoreIdleness = () => undefined;

	it('passes a stream within the limit through unchanged', async () =>
		expect(await readAll(withLimits(streamOf('abc', 'def'), 6, ignoreIdleness))).toBe('abcdef'));

	it('fails with the first byte beyond the limit and destroys the source stream', async () => {
		const source = streamOf('abc', 'def', 'g', 'h');
		await expect(readAll(withLimits(source, 6, ignoreIdleness))).rejects.toThrow(
			'The file that Argyle sent is larger than',
		);
		expect(source.destroyed).toBe(true);
	});

	it('fails a limited stream with the error of its source', async () => {
		const source = new Readable({ read() {} });
		const received = readAll(withLimits(source, 6, ignoreIdleness));
		source.push('abc');
		source.destroy(new Error('broken off'));
		await expect(received).rejects.toThrow('broken off');
	});

	it('calls onIdle after 30 s without a byte, and not before', async () => {
		const source = new Readable({ read() {} });
		const onIdle = () => source.destroy(new Error('idle'));
		const pauses: number[] = [];
		jest.spyOn(idleClock, 'pause').mockImplementation(async (ms) => {
			// A chunk arrives during each of the first two pauses.
			if (pauses.push(ms) <= 2) {
				source.push('x');
				await new Promise((resolve) => setImmediate(resolve));
			}
		});
		await expect(readAll(withLimits(source, 6, onIdle))).rejects.toThrow('idle');
		expect(pauses.length).toBeGreaterThanOrEqual(3);
		expect(pauses.every((ms) => ms === 30_000)).toBe(true);
	});

	it('stops watching for idleness when the stream has ended', async () => {
		let watchSignal: AbortSignal | undefined;
		jest.spyOn(idleClock, 'pause').mockImplementation(async (_, signal) => {
			watchSignal = signal;
			await new Promise((resolve) => signal?.addEventListener('abort', resolve));
		});
		await readAll(withLimits(streamOf('abc'), 6, ignoreIdleness));
		expect(watchSignal?.aborted).toBe(true);
	});
});
