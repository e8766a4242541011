import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { jsonOf, readAnswer, sendRequest } from '../../../nodes/Argyle/transport/answer';
import { TOO_SLOW } from '../../../nodes/Argyle/transport/download';
import type { ArgyleRequest } from '../../../nodes/Argyle/transport/request';
import { paceClock } from '../../../nodes/Argyle/utils/clock';
import { request, scopeWith } from './scope.mts';

const MIB = 1024 * 1024;

afterEach(() => jest.restoreAllMocks());

describe('sendRequest', () => {
	/** Fails as soon as the signal says so. */
	const helper = (onAbort: () => void) => async (options: { abortSignal?: unknown }) => {
		const { abortSignal } = options;
		if (!(abortSignal instanceof AbortSignal)) throw new Error('there is no signal');
		if (!abortSignal.aborted) await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
		onAbort();
		throw new Error('words of the helper');
	};
	const failing = helper(() => {});

	it('rejects with the time-out when it is over', async () => {
		const scope = scopeWith(failing, new AbortController().signal);
		await expect(sendRequest(scope, { ...request, timeoutMs: 1 })).rejects.toMatchObject({ name: 'TimeoutError' });
	});

	it('rejects with what the helper throws when the execution is cancelled, before or after the time-out', async () => {
		const cancelled = AbortSignal.abort();
		const early = sendRequest(scopeWith(failing, cancelled), { ...request, timeoutMs: 60_000 });
		await expect(early).rejects.toThrow('words of the helper');
		const execution = new AbortController();
		const aborting = helper(() => execution.abort());
		const late = sendRequest(scopeWith(aborting, execution.signal), { ...request, timeoutMs: 1 });
		await expect(late).rejects.toThrow('words of the helper');
	});
});

describe('sendRequest asks for', () => {
	async function headersOf(more: Partial<ArgyleRequest>): Promise<unknown> {
		const httpRequest = jest.fn(async (_: IHttpRequestOptions) => ({ statusCode: 204 }));
		await sendRequest(scopeWith(httpRequest), { ...request, ...more, timeoutMs: 60_000 });
		return httpRequest.mock.lastCall?.[0].headers;
	}

	it('JSON, or what the request accepts', async () => {
		expect(await headersOf({})).toEqual({ Accept: 'application/json' });
		expect(await headersOf({ accept: 'application/pdf' })).toEqual({ Accept: 'application/pdf' });
	});

	it('an object without fields to be read as JSON, which n8n sends as text', async () => {
		expect(await headersOf({ body: {} })).toMatchObject({ 'Content-Type': 'application/json' });
	});
});

/** An endless body in pieces of 64 KiB, and how much of it was taken. */
function endless() {
	const taken = { bytes: 0 };
	const body = new Readable({
		read(size) {
			taken.bytes += size;
			this.push(Buffer.alloc(size, ' '));
		},
		highWaterMark: 64 * 1024,
	});
	return { body, taken };
}

describe('readAnswer', () => {
	const read = async (statusCode: number, body: unknown) =>
		await readAnswer({ statusCode, headers: {}, body }, () => {});

	it('reads a body of several pieces as a whole', async () => {
		const body = Readable.from([Buffer.from('{"a"'), Buffer.from(':1}')], { objectMode: false });
		expect((await read(200, body))?.body.toString()).toBe('{"a":1}');
	});

	it('of a success without an end reads little more than 16 MiB, and destroys it', async () => {
		const { body, taken } = endless();
		const answer = await read(200, body);
		expect(answer?.body.length).toBeGreaterThan(16 * MIB);
		expect(taken.bytes).toBeLessThan(17 * MIB);
		await setImmediate();
		expect(body.destroyed).toBe(true);
	});

	it('of an error without an end reads no more than is shown', async () => {
		const { body, taken } = endless();
		await read(503, body);
		expect(taken.bytes).toBeLessThan(MIB);
		await setImmediate();
		expect(body.destroyed).toBe(true);
	});

	it.each([undefined, null, 'text', {}, { statusCode: 200, body: 'text' }, { statusCode: 200 }])(
		'gives nothing for %p, which is no response with a stream',
		async (received) => expect(await readAnswer(received, () => {})).toBeUndefined(),
	);
});

it('sendRequest rejects with what was too slow, and ends the request', async () => {
	jest.spyOn(paceClock, 'pause').mockImplementation(async () => {});
	const body = new Readable({ read() {} });
	let signal: unknown;
	const scope = scopeWith(async ({ abortSignal }) => {
		signal = abortSignal;
		// As n8n's helper does it.
		if (abortSignal instanceof AbortSignal) abortSignal.addEventListener('abort', () => body.destroy(new Error('cut')));
		return { statusCode: 200, headers: {}, body };
	});
	await expect(sendRequest(scope, { ...request, timeoutMs: 60_000 })).rejects.toBe(TOO_SLOW);
	expect(signal).toMatchObject({ aborted: true });
});

describe('jsonOf', () => {
	const json = (text: string) => jsonOf({ statusCode: 200, headers: {}, body: Buffer.from(text) });
	const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
	const withBlanks = (size: number) => `{}${' '.repeat(size - 2)}`;

	it.each<[string, string]>([
		['text', '{"a": 1}'],
		['text behind a byte order mark', '\ufeff{"a": 1}'],
	])('reads JSON that comes as %s', (_, text) => expect(json(text)).toEqual({ value: { a: 1 } }));

	it('reads JSON of 16 MiB, and no more', () => {
		expect(json(withBlanks(16 * MIB))).toEqual({ value: {} });
		expect(json(withBlanks(16 * MIB + 1))).toMatchObject({
			unreadable: { message: 'The answer that Argyle sent is larger than 16 MB', isTransient: false },
		});
	});

	it('reads JSON of 100 levels, and no more', () => {
		expect(json(nested(100))).toHaveProperty('value');
		for (const levels of [101, 100_000])
			expect(json(nested(levels))).toMatchObject({
				unreadable: { advice: expect.stringContaining('more than 100 levels deep'), isTransient: false },
			});
	});

	it('says of anything else that it is no JSON, which may pass', () =>
		expect(json('<html>')).toMatchObject({ unreadable: { advice: 'JSON was expected.', isTransient: true } }));
});
