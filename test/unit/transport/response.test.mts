import { isSuccess, toResponse, traceOf } from '../../../nodes/Argyle/transport/response';

describe('toResponse', () => {
	it('gives status, headers and bytes', () => {
		const body = Buffer.from('x');
		expect(toResponse({ statusCode: 200, headers: { a: 'b' }, body, statusMessage: 'OK' })).toEqual({
			statusCode: 200,
			headers: { a: 'b' },
			body,
		});
	});

	it('lives without headers and bytes', () => {
		expect(toResponse({ statusCode: 204, headers: null, body: undefined })).toEqual({
			statusCode: 204,
			headers: {},
			body: Buffer.alloc(0),
		});
	});

	it.each([undefined, null, 'text', [], {}, { statusCode: '200' }])('takes %p for no answer', (answer) =>
		expect(toResponse(answer)).toBeUndefined(),
	);
});

it('isSuccess takes 2xx only', () => {
	const outcome = (statusCode: number) => isSuccess({ statusCode, headers: {} });
	expect([199, 200, 201, 204, 299, 300, 404, 500].map(outcome)).toEqual([
		false,
		true,
		true,
		true,
		true,
		false,
		false,
		false,
	]);
});

it('traceOf names a trace id that is one', () => {
	const trace = (id: unknown) => traceOf({ statusCode: 500, headers: { 'x-trace-id': id } });
	expect(trace('a-1_B')).toBe(' Trace ID a-1_B.');
	for (const id of [undefined, 7, '', 'a b', 'x'.repeat(101), 'a.\n']) expect(trace(id)).toBe('');
});
