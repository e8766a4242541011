import { Readable } from 'node:stream';
import { type ByteStream, idleClock, isByteStream, readPrefix, withLimits } from '../../../nodes/Argyle/transport/byteStream';

const streamOf = (...chunks: string[]) =>
	Readable.from(
		chunks.map((chunk) => Buffer.from(chunk)),
		{ objectMode: false },
	);

async function rest(stream: ByteStream): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

afterEach(() => jest.restoreAllMocks());

describe('isByteStream', () => {
	it('knows a stream', () => expect(isByteStream(streamOf('x'))).toBe(true));
	it.each([undefined, null, 'text', Buffer.from('x'), {}, { iterator: 1, unshift: 1 }])('takes %p for none', (value) =>
		expect(isByteStream(value)).toBe(false),
	);
});

describe('takeStart', () => {
	it.each<[string[], number, string, string]>([
		[['%PDF-1.7', ' rest'], 5, '%PDF-1.7', ' rest'],
		[['%', 'P', 'D', 'F', '-', '1'], 5, '%PDF-', '1'],
		[['abc'], 5, 'abc', ''],
		[[], 5, '', ''],
	])('takes from %p at least %d bytes', async (chunks, bytes, start, left) => {
		const stream = streamOf(...chunks);
		expect((await readPrefix(stream, bytes)).toString()).toBe(start);
		expect(await rest(stream)).toBe(left);
	});

	it('leaves a stream to which the bytes can be given back, also when there are no more', async () => {
		const stream = streamOf('%PDF-1.7');
		stream.unshift(await readPrefix(stream, 5));
		expect(await rest(stream)).toBe('%PDF-1.7');
	});

	it('rejects with what the stream fails with', async () => {
		const stream = new Readable({ read() {} });
		const taken = readPrefix(stream, 5);
		stream.destroy(new Error('broken off'));
		await expect(taken).rejects.toThrow('broken off');
	});
});

describe('guarded', () => {
	const guards = {
		maxBytes: 6,
		tooLargeError: () => new Error('too large'),
		idleMs: 1_000,
		onIdle: jest.fn(),
	};

	it('gives everything on', async () => expect(await rest(withLimits(streamOf('abc', 'def'), guards))).toBe('abcdef'));

	it('fails with the first byte too many, and ends its source', async () => {
		const source = streamOf('abc', 'def', 'g', 'h');
		await expect(rest(withLimits(source, guards))).rejects.toThrow('too large');
		expect(source.destroyed).toBe(true);
	});

	it('fails with what its source fails with', async () => {
		const source = new Readable({ read() {} });
		const reading = rest(withLimits(source, guards));
		source.push('abc');
		source.destroy(new Error('broken off'));
		await expect(reading).rejects.toThrow('broken off');
	});

	it('tells when nothing comes for too long, not before', async () => {
		const source = new Readable({ read() {} });
		const onIdle = () => source.destroy(new Error('idle'));
		const pauses: number[] = [];
		jest.spyOn(idleClock, 'pause').mockImplementation(async (ms) => {
			// Twice something has come in the meantime.
			if (pauses.push(ms) <= 2) {
				source.push('x');
				await new Promise((resolve) => setImmediate(resolve));
			}
		});
		await expect(rest(withLimits(source, { ...guards, onIdle }))).rejects.toThrow('idle');
		expect(pauses.length).toBeGreaterThanOrEqual(3);
		expect(pauses.every((ms) => ms === 1_000)).toBe(true);
	});

	it('watches no longer than the stream lasts', async () => {
		let watching: AbortSignal | undefined;
		jest.spyOn(idleClock, 'pause').mockImplementation(async (_, signal) => {
			watching = signal;
			await new Promise((resolve) => signal?.addEventListener('abort', resolve));
		});
		await rest(withLimits(streamOf('abc'), guards));
		expect(watching?.aborted).toBe(true);
	});
});
