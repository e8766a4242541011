import fc from 'fast-check';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';

/** Anything that an expression or a broken service may yield, also objects that can't be made into text. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
	fc.anything({ withNullPrototype: true, withObjectString: true, maxDepth: 3 }),
	fc.constantFrom<unknown>({ toString: 'no function', valueOf: 1 }, ['a', { toString: null, valueOf: null }], -0, NaN),
);

/** ASCII, any code point, graphemes, lone surrogates, control characters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary', maxLength: 400 }),
	fc.string({ unit: 'grapheme', maxLength: 400 }),
	fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 50 }),
);

const deepJson: fc.Arbitrary<string> = fc
	.tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('[', '{"detail":', '{"a":'), fc.boolean())
	.map(([depth, open, isClosed]) => {
		const close = open === '[' ? ']' : '}';
		return `${open.repeat(depth)}1${isClosed ? close.repeat(depth) : ''}`;
	});

export const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
	fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
	anyText.map((text) => Buffer.from(text)),
	fc.json().map((text) => Buffer.from(text)),
	deepJson.map((text) => Buffer.from(text)),
	fc
		.array(fc.constantFrom('<', '>', '</', 'title', 'script', 'style', '!', ' ', 'a', '"', '='), { maxLength: 60 })
		.map((parts) => Buffer.from(parts.join(''))),
);

const hexDigit = fc.constantFrom(...'0123456789abcdef');

/** 64 hex digits, as the trigger derives its secrets. */
const triggerSecret = fc.string({ unit: hexDigit, minLength: 64, maxLength: 64 });

/** Secrets and API keys as they occur. */
export const secrets: fc.Arbitrary<string> = fc.oneof(
	triggerSecret,
	fc.base64String({ minLength: 16, maxLength: 100 }),
	fc.uuid(),
);

export const eventMessages: fc.Arbitrary<Buffer> = fc
	.record({
		event: fc.oneof(
			fc.constantFrom('user_forms.submitted', 'users.fully_synced', '*', ''),
			fc.string({ unit: 'binary' }),
		),
		name: fc.string({ unit: 'grapheme' }),
		data: fc.dictionary(fc.string(), fc.oneof(fc.uuid(), fc.integer(), fc.string()), { maxKeys: 4 }),
	})
	.map(({ event, name, data }) => Buffer.from(eventBody(event, name, data)));

/** Bodies of deliveries: event messages, other JSON, truncated JSON, noise. */
export const deliveryBodies: fc.Arbitrary<Buffer> = fc.oneof(
	eventMessages,
	fc.json().map((text) => Buffer.from(text)),
	fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
	fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(`{"event":"user_forms.submitted",${text}`)),
	fc.constantFrom('', '[]', '{}', 'null', '[[[[', '\0').map((text) => Buffer.from(text)),
);

const almostSignature = fc.string({
	unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
	minLength: 126,
	maxLength: 130,
});

/** Values of the signature header that were made without the secret. */
export const signatureValues: fc.Arbitrary<unknown> = fc.oneof(
	almostSignature,
	fc.string({ unit: hexDigit, minLength: 128, maxLength: 128 }),
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.string({ unit: 'grapheme', minLength: 127, maxLength: 129 }),
	fc.array(almostSignature, { maxLength: 3 }),
	fc.jsonValue(),
);
