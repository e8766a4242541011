import fc from 'fast-check';
import { readDetail, redact } from '../../nodes/Argyle/transport/errorDetail';
import { errorFromResponse } from '../../nodes/Argyle/transport/errorMapper';
import { cpuMs } from './cpu.mts';
import { anyBytes, anything, anyText, secrets } from './arbitraries.mts';

/** Of a secret, so much is never to be seen: a share of it that is longer tells something. */
const TELLING = 12;

describe('the words of an error body', () => {
	it('are one line of at most 300 characters, whatever the body holds', () => {
		fc.assert(
			fc.property(anyBytes, (body) => {
				const detail = readDetail(body, []);
				expect(detail.length).toBeLessThanOrEqual(300);
				expect(detail).not.toMatch(/[\r\n\t]/);
			}),
			{ numRuns: 10_000 },
		);
	});

	it('are bounded for huge bodies', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 2 }), fc.integer({ min: 1, max: 200_000 }), (json, times) => {
				const body = Buffer.from(
					`{"errors":[${Array(Math.ceil(times / json.length))
						.fill(json)
						.join(',')}]}`,
				);
				expect(readDetail(body, []).length).toBeLessThanOrEqual(300);
			}),
			{ numRuns: 50 },
		);
	});

	it('are read in no time, whatever the text repeats', () => {
		const unit = fc
			.array(fc.constantFrom('<', '>', '</', 'a', '!', 'title', 'script', 'style', ' ', '"'), {
				minLength: 1,
				maxLength: 4,
			})
			.map((parts) => parts.join(''));
		fc.assert(
			fc.property(unit, (part) => {
				const body = Buffer.from(part.repeat(100_000 / part.length));
				expect(cpuMs(() => readDetail(body, []))).toBeLessThan(1_000);
			}),
			{ numRuns: 100, endOnFailure: true },
		);
	}, 120_000);
});

/** Bodies in which the service repeats a secret, after so many other characters. */
const around = (secret: string) =>
	fc
		.tuple(
			fc.oneof(fc.nat(40), fc.integer({ min: 180, max: 320 })),
			fc.string({ unit: fc.constantFrom(...'abc \n<>"'), maxLength: 100 }),
			fc.constantFrom('detail', 'url', 'text', 'html', 'list', 'deep'),
		)
		.map(([before, behind, shape]) => {
			const words = `${'x'.repeat(before)}${secret}${behind}`;
			if (shape === 'text') return words;
			if (shape === 'html') return `<html><title>${words}</title></html>`;
			if (shape === 'list') return JSON.stringify([words, words]);
			if (shape === 'deep') return JSON.stringify({ error: { message: [words] } });
			return JSON.stringify({ [shape]: [words] });
		});

describe('the error that a person sees', () => {
	const cases = secrets.chain((secret) =>
		fc.tuple(fc.constant(secret), around(secret), fc.integer({ min: 300, max: 599 })),
	);

	function seen(secret: string, body: string, statusCode: number): string {
		const { message, description } = errorFromResponse(
			{ statusCode, headers: {}, body: Buffer.from(body) },
			{
				environment: { origin: 'https://api.argyle.com', label: 'Production' },
				subject: 'list of users',
				secrets: [secret],
				isMutation: true,
			},
		);
		return `${message} ${description}`;
	}

	it('never holds the secret that the service repeated', () => {
		fc.assert(
			fc.property(cases, ([secret, body, status]) => {
				expect(seen(secret, body, status)).not.toContain(secret);
			}),
			{ numRuns: 5_000 },
		);
	});

	it('never holds the beginning of it either', () => {
		fc.assert(
			fc.property(cases, ([secret, body, status]) => {
				expect(seen(secret, body, status)).not.toContain(secret.slice(0, TELLING));
			}),
			{ numRuns: 5_000 },
		);
	});

	it('is made from any answer', () => {
		fc.assert(
			fc.property(anyBytes, fc.integer({ min: 300, max: 599 }), anything, (body, statusCode, trace) => {
				const { description } = errorFromResponse(
					{ statusCode, headers: { 'x-trace-id': trace }, body },
					{
						environment: { origin: 'https://api.argyle.com', label: 'Production' },
						subject: 'list of users',
						secrets: [],
						isMutation: false,
					},
				);
				expect(description).toContain(`HTTP status ${statusCode}.`);
				expect(description.length).toBeLessThan(800);
			}),
			{ numRuns: 5_000 },
		);
	});
});

it('redact blots every secret out of any text', () => {
	fc.assert(
		fc.property(fc.array(anyText), fc.array(secrets, { maxLength: 3 }), (parts, all) => {
			const text = redact(parts.flatMap((part, index) => [part, all[index % all.length] ?? '']).join(''), all);
			for (const secret of all) expect(text).not.toContain(secret);
		}),
		{ numRuns: 3_000 },
	);
});
