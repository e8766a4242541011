import fc from 'fast-check';

/** Anything that an expression or a broken service may yield, also objects that can't be made into text. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
	fc.anything({ withNullPrototype: true, withObjectString: true, maxDepth: 3 }),
	fc.constantFrom<unknown>({ toString: 'no function', valueOf: 1 }, ['a', { toString: null, valueOf: null }], -0, NaN),
);

/** Text of every kind: ASCII, any code point, halves of pairs, control characters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary', maxLength: 400 }),
	fc.string({ unit: 'grapheme', maxLength: 400 }),
	fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 50 }),
);

/** JSON nested as deep as some thousands of levels. */
const deepJson: fc.Arbitrary<string> = fc
	.tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('[', '{"detail":', '{"a":'), fc.boolean())
	.map(([depth, open, isClosed]) => {
		const close = open === '[' ? ']' : '}';
		return `${open.repeat(depth)}1${isClosed ? close.repeat(depth) : ''}`;
	});

/** Any bytes: noise, text, JSON, markup. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
	fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
	anyText.map((text) => Buffer.from(text)),
	fc.json().map((text) => Buffer.from(text)),
	deepJson.map((text) => Buffer.from(text)),
	fc
		.array(fc.constantFrom('<', '>', '</', 'title', 'script', 'style', '!', ' ', 'a', '"', '='), { maxLength: 60 })
		.map((parts) => Buffer.from(parts.join(''))),
);

/** Secrets and keys as they occur. */
export const secrets: fc.Arbitrary<string> = fc.oneof(
	fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
	fc.base64String({ minLength: 16, maxLength: 100 }),
	fc.uuid(),
);
