import fc from 'fast-check';
import { readDetail } from '../../nodes/Argyle/transport/errorDetail';
import { errorFromResponse } from '../../nodes/Argyle/transport/errorMapper';
import { isSuccess, toResponse, traceSentence } from '../../nodes/Argyle/transport/request';
import { anyBytes, anything, secrets } from './arbitraries.mts';

/** A longer part of a secret would help somebody to guess the rest. */
const LONGEST_VISIBLE_PART = 11;

const environment = { origin: 'https://api.argyle.com', label: 'Production' } as const;

const errorStatus = fc.integer({ min: 300, max: 599 });

it('parses any result of the request helper as a response or as none', () => {
	const results = fc.record(
		{
			statusCode: fc.oneof(fc.integer(), anything),
			headers: fc.oneof(fc.dictionary(fc.constantFrom('x-trace-id', 'a'), anything), anything),
			body: fc.oneof(
				fc.uint8Array().map((bytes) => Buffer.from(bytes)),
				anything,
			),
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(fc.oneof(results, anything), (result) => {
			const response = toResponse(result);
			if (response === undefined) return;
			expect(Buffer.isBuffer(response.body)).toBe(true);
			expect(isSuccess(response)).toBe(response.statusCode >= 200 && response.statusCode < 300);
			expect(traceSentence(response)).toMatch(/^( Trace ID [\w-]{1,100}\.)?$/);
		}),
		{ numRuns: 5_000 },
	);
});

it('reads one line of at most 300 characters from any error body', () => {
	fc.assert(
		fc.property(anyBytes, (body) => {
			const detail = readDetail(body, []);
			expect(detail.length).toBeLessThanOrEqual(300);
			expect(detail).not.toMatch(/[\r\n\t]/);
		}),
		{ numRuns: 5_000 },
	);
});

/** Error bodies that repeat a secret, some of them where the detail is cut off. */
const bodiesWith = (secret: string) =>
	fc
		.tuple(
			fc.oneof(fc.nat(40), fc.integer({ min: 180, max: 320 })),
			fc.string({ unit: fc.constantFrom(...'abc \n<>"'), maxLength: 100 }),
			fc.constantFrom('detail', 'url', 'text', 'html', 'list', 'deep'),
		)
		.map(([before, after, format]) => {
			const text = `${'x'.repeat(before)}${secret}${after}`;
			if (format === 'text') return text;
			if (format === 'html') return `<html><title>${text}</title></html>`;
			if (format === 'list') return JSON.stringify([text, text]);
			if (format === 'deep') return JSON.stringify({ error: { message: [text] } });
			return JSON.stringify({ [format]: [text] });
		});

const secretsAndBodies = secrets.chain((secret) => fc.tuple(fc.constant(secret), bodiesWith(secret)));

it('shows neither a secret that the error body repeats nor the beginning of it', () => {
	fc.assert(
		fc.property(secretsAndBodies, errorStatus, ([secret, body], statusCode) => {
			const { message, description } = errorFromResponse(
				{ statusCode, headers: {}, body: Buffer.from(body) },
				{ environment, subject: 'list of users', secrets: [secret], isMutation: true },
			);
			expect(`${message} ${description}`).not.toContain(secret.slice(0, LONGEST_VISIBLE_PART + 1));
		}),
		{ numRuns: 10_000 },
	);
});

it('makes an error with the status from any response', () => {
	fc.assert(
		fc.property(anyBytes, errorStatus, anything, (body, statusCode, trace) => {
			const { description } = errorFromResponse(
				{ statusCode, headers: { 'x-trace-id': trace }, body },
				{ environment, subject: 'list of users', secrets: [], isMutation: false },
			);
			expect(description).toContain(`HTTP status ${statusCode}.`);
			expect(description.length).toBeLessThan(800);
		}),
		{ numRuns: 5_000 },
	);
});
