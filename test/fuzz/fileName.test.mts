import fc from 'fast-check';
import { fileNameFromHeader, safeFileName } from '../../nodes/Argyle/utils/fileName';
import { anything, anyText } from './arbitraries.mts';

const value = fc.oneof(
	anyText.map((text) => `"${text}"`),
	anyText,
	anyText.map((text) => `utf-8''${encodeURIComponent(Buffer.from(text).toString())}`),
	fc.string().map((text) => `iso-8859-1'en'${text}`),
	fc.constantFrom('"../../etc/passwd"', '"C:\\\\x\\\\con.txt"', '"%00.pdf"', "utf-8''%2e%2e%2f%00", '"\\"', '"..."'),
);
const parameter = fc
	.tuple(
		fc.constantFrom('filename', 'filename*', 'FileName', 'name', 'filename '),
		fc.constantFrom('=', ' = ', '=='),
		value,
	)
	.map((parts) => parts.join(''));
const headers = fc
	.tuple(fc.constantFrom('attachment', 'inline', '', ';;'), fc.array(parameter, { maxLength: 4 }))
	.map(([kind, parameters]) => [kind, ...parameters].join('; '));

function expectSafe(name: string): void {
	expect(name).not.toMatch(/[/\\\p{Cc}<>:"|?*]/u);
	expect(name).not.toMatch(/^\.{0,2}$/);
	expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
}

it('reads a safe file name or none from any Content-Disposition header', () => {
	fc.assert(
		fc.property(fc.oneof(headers, anyText, anything), (header) => {
			const name = fileNameFromHeader(header);
			if (name !== undefined) expectSafe(name);
		}),
		{ numRuns: 10_000 },
	);
});

it('finds the file name in many of the generated headers', () => {
	const found = fc.sample(headers, 1_000).filter((header) => fileNameFromHeader(header) !== undefined);
	expect(found.length).toBeGreaterThan(0);
});

it('leaves a safe file name as it is', () => {
	fc.assert(
		fc.property(fc.string({ unit: fc.constantFrom(...'ab.- ä/\\:'), maxLength: 100 }), (text) => {
			expect(safeFileName(safeFileName(text))).toBe(safeFileName(text));
		}),
		{ numRuns: 5_000 },
	);
});

// n8n writes the name into its download link with encodeURIComponent, which throws on lone surrogates.
it('makes no file name with lone surrogates', () => {
	fc.assert(
		fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme', minLength: 140, maxLength: 160 })), (text) => {
			expect(encodeURIComponent(safeFileName(text))).not.toBe(undefined);
		}),
		{ numRuns: 5_000 },
	);
});
