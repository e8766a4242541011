import fc from 'fast-check';
import { fileNameOf, safeFileName } from '../../nodes/Argyle/utils/fileName';
import { cpuMs } from './cpu.mts';
import { anything, anyText } from './arbitraries.mts';

/** Node refuses an answer whose headers are longer. */
const LONGEST_HEADER = 16_000;

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

function expectSafe(name: string) {
	expect(name).not.toMatch(/[/\\\p{Cc}<>:"|?*]/u);
	expect(name).not.toMatch(/^\.{0,2}$/);
	expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
}

describe('the file name of a header', () => {
	it('is safe or none, whatever the header holds', () => {
		fc.assert(
			fc.property(fc.oneof(headers, anyText, anything), (header) => {
				const name = fileNameOf(header);
				if (name !== undefined) expectSafe(name);
			}),
			{ numRuns: 10_000 },
		);
	});

	it('is found in headers of every kind', () => {
		const found = fc.sample(headers, 1_000).filter((header) => fileNameOf(header) !== undefined);
		expect(found.length).toBeGreaterThan(300);
	});

	it('stays what it is when made safe again', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'ab.- ä/\\:'), maxLength: 100 }), (text) => {
				expect(safeFileName(safeFileName(text))).toBe(safeFileName(text));
			}),
			{ numRuns: 5_000 },
		);
	});

	// n8n writes the name into its download link with encodeURIComponent, which throws for half a character.
	it('holds no half characters', () => {
		fc.assert(
			fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme', minLength: 140, maxLength: 160 })), (text) => {
				expect(encodeURIComponent(safeFileName(text))).not.toBe(undefined);
			}),
			{ numRuns: 5_000 },
		);
	});

	it('is read in no time from the longest header that Node takes', () => {
		const unit = fc
			.array(fc.constantFrom(' ', '.', ';', 'a', '"', '\\', '=', "'", '%', 'filename='), { minLength: 1, maxLength: 4 })
			.map((parts) => parts.join(''));
		fc.assert(
			fc.property(unit, fc.constantFrom('', '; filename=', '; filename="', "; filename*=utf-8''"), (part, start) => {
				const filler = part.repeat(LONGEST_HEADER / part.length);
				expect(cpuMs(() => fileNameOf(`attachment${start}${filler}x"`))).toBeLessThan(1_000);
			}),
			{ numRuns: 300, endOnFailure: true },
		);
	}, 60_000);
});
