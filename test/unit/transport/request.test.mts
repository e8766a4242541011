import { Readable } from 'node:stream';
import { isSuccess, sendStreamedRequest, toResponse, traceSentence } from '../../../nodes/Argyle/transport/request';
import { request, scopeWith } from './scope.mts';

describe('sendStreamedRequest', () => {
	const send = async (response: unknown) =>
		await sendStreamedRequest(
			scopeWith(async () => response),
			{ ...request, timeoutMs: 60_000 },
		);

	it('hands on the body as a stream', async () => {
		const body = Readable.from(['x']);
		expect(await send({ statusCode: 200, headers: {}, body })).toEqual({ statusCode: 200, headers: {}, body });
	});

	it.each<[string, unknown]>([
		['text', 'text'],
		['bytes', Buffer.from('bytes')],
		['nothing', null],
		['a stream that can only be iterated', { iterator: () => {} }],
		['a stream that cannot be iterated', { unshift: () => {} }],
	])('gives no response whose body is %s', async (_, body) => {
		expect(await send({ statusCode: 200, headers: {}, body })).toBeUndefined();
	});

	it('gives no response where the helper gives none', async () => expect(await send(undefined)).toBeUndefined());
});

describe('toResponse', () => {
	it('keeps the status, headers and body of a response', () => {
		const body = Buffer.from('x');
		expect(toResponse({ statusCode: 200, headers: { a: 'b' }, body, statusMessage: 'OK' })).toEqual({
			statusCode: 200,
			headers: { a: 'b' },
			body,
		});
	});

	it('accepts a response without headers', () => {
		const body = Buffer.alloc(0);
		expect(toResponse({ statusCode: 204, headers: null, body })).toEqual({ statusCode: 204, headers: {}, body });
	});

	it.each([undefined, 'text', {}, { statusCode: '200', body: Buffer.alloc(0) }, { statusCode: 200, body: 'text' }])(
		'returns undefined for %p, which is no response in bytes',
		(value) => expect(toResponse(value)).toBeUndefined(),
	);
});

it('isSuccess accepts 2xx only', () => {
	const statuses = [199, 200, 201, 204, 299, 300, 404, 500];
	expect(statuses.filter((statusCode) => isSuccess({ statusCode, headers: {} }))).toEqual([200, 201, 204, 299]);
});

it('traceSentence names a valid trace id, and is empty for any other value', () => {
	const trace = (id: unknown) => traceSentence({ statusCode: 500, headers: { 'x-trace-id': id } });
	expect(trace('a-1_B')).toBe(' Trace ID a-1_B.');
	for (const id of [undefined, 7, '', 'a b', 'x'.repeat(101), 'a.\n']) expect(trace(id)).toBe('');
});
