import { Readable } from 'node:stream';
import { readPrefix, withLimits } from '../../../nodes/Argyle/transport/download';
import type { ByteStream } from '../../../nodes/Argyle/transport/request';
import { paceClock } from '../../../nodes/Argyle/utils/clock';

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
	const ignorePace = () => undefined;

	it('passes a stream within the limit through unchanged', async () =>
		expect(await readAll(withLimits(streamOf('abc', 'def'), 6, ignorePace))).toBe('abcdef'));

	it('fails with the first byte beyond the limit and destroys the source stream', async () => {
		const source = streamOf('abc', 'def', 'g', 'h');
		await expect(readAll(withLimits(source, 6, ignorePace))).rejects.toThrow(
			'The file that Argyle sent is larger than',
		);
		expect(source.destroyed).toBe(true);
	});

	it('fails a limited stream with the error of its source', async () => {
		const source = new Readable({ read() {} });
		const received = readAll(withLimits(source, 6, ignorePace));
		source.push('abc');
		source.destroy(new Error('broken off'));
		await expect(received).rejects.toThrow('broken off');
	});

	/** A body of which so many bytes come in each of the first periods, and none after; the length of all periods. */
	async function periodsOf(...received: number[]): Promise<number[]> {
		const source = new Readable({ read() {} });
		const pauses: number[] = [];
		jest.spyOn(paceClock, 'pause').mockImplementation(async (ms) => {
			const bytes = received[pauses.push(ms) - 1] ?? 0;
			if (bytes > 0) source.push(Buffer.alloc(bytes));
			await new Promise((resolve) => setImmediate(resolve));
		});
		const limited = withLimits(source, Infinity, () => source.destroy(new Error('slow')));
		await expect(readAll(limited)).rejects.toThrow('slow');
		return pauses;
	}

	it.each<[string, number[], number]>([
		['no byte comes', [], 1],
		['a byte comes each time', [1, 1, 1], 1],
		['less than 30 KiB come', [30 * 1024 - 1], 1],
		['30 KiB come twice, and then nothing', [30 * 1024, 30 * 1024], 3],
		['much comes, and then a byte each time', [50 * 1024 * 1024, 1, 1], 2],
	])('where %s in 30 s, calls onSlow at the end of the first 30 s with too little', async (_, received, periods) =>
		expect(await periodsOf(...received)).toEqual(Array(periods).fill(30_000)),
	);

	it('stops watching the pace when the stream has ended', async () => {
		let watchSignal: AbortSignal | undefined;
		jest.spyOn(paceClock, 'pause').mockImplementation(async (_, signal) => {
			watchSignal = signal;
			await new Promise((resolve) => signal?.addEventListener('abort', resolve));
		});
		await readAll(withLimits(streamOf('abc'), 6, ignorePace));
		expect(watchSignal?.aborted).toBe(true);
	});
});
