import fc from 'fast-check';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { ALTERATIONS } from './alteration.mts';
import { FORGERIES } from './signatureMutations.mts';

/** A call that is not genuine, as n8n would hand it to the trigger. */
export interface Attack {
	/** How it was made, for the report of a failure. */
	kind: string;
	headers: Record<string, unknown>;
	rawBody: unknown;
}

/** As Node names it; the package's own constant would hide a mistake in it. */
export const HEADER = 'x-argyle-signature';

const vary = fc.nat();

/** Event messages as Argyle writes them. */
export const messages: fc.Arbitrary<Buffer> = fc
	.record({
		event: fc.oneof(
			fc.constantFrom('user_forms.submitted', 'users.fully_synced', '*', ''),
			fc.string({ unit: 'binary' }),
		),
		name: fc.string({ unit: 'grapheme' }),
		data: fc.dictionary(fc.string(), fc.oneof(fc.uuid(), fc.integer(), fc.string()), { maxKeys: 4 }),
	})
	.map(({ event, name, data }) => Buffer.from(eventBody(event, name, data)));

/** Any bytes: messages, other JSON, JSON's beginnings, noise. */
export const bodies: fc.Arbitrary<Buffer> = fc.oneof(
	messages,
	fc.json().map((text) => Buffer.from(text)),
	fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
	fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(`{"event":"user_forms.submitted",${text}`)),
	fc.constantFrom('', '[]', '{}', 'null', '[[[[', '\0').map((text) => Buffer.from(text)),
);

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 126, maxLength: 130 });

/** Any value of the header, made without the secret. */
export const headerValues: fc.Arbitrary<unknown> = fc.oneof(
	hex,
	fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 128, maxLength: 128 }),
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.string({ unit: 'grapheme', minLength: 127, maxLength: 129 }),
	fc.array(hex, { maxLength: 3 }),
	fc.jsonValue(),
);

const pick = (names: Record<string, unknown>) => fc.constantFrom(...Object.keys(names));

/** Takes the secret; gives calls whose bytes are as sent, under a signature that is not theirs. */
export function forged(secret: string): fc.Arbitrary<Attack> {
	return fc.tuple(pick(FORGERIES), bodies, vary).map(([kind, rawBody, number]) => ({
		kind,
		headers: { [HEADER]: FORGERIES[kind]?.(rawBody, secret, number) },
		rawBody,
	}));
}

/** Takes the secret; gives calls under a genuine signature, with bytes that are not those that were signed. */
function altered(secret: string): fc.Arbitrary<Attack> {
	return fc.tuple(pick(ALTERATIONS), messages, vary).map(([kind, body, number]) => ({
		kind,
		headers: { [HEADER]: sign(body, secret) },
		rawBody: ALTERATIONS[kind]?.(body, number),
	}));
}

/** Takes the secret; gives calls of every kind that must be refused. */
export function attacks(secret: string): fc.Arbitrary<Attack> {
	const misplaced = fc
		.tuple(fc.constantFrom('X-Argyle-Signature', 'x-signature', 'x-argyle-signature ', 'authorization'), messages)
		.map(([name, rawBody]) => ({ kind: `header ${name}`, headers: { [name]: sign(rawBody, secret) }, rawBody }));
	const made = fc
		.tuple(headerValues, bodies)
		.map(([value, rawBody]) => ({ kind: 'made up', headers: { [HEADER]: value }, rawBody }));
	return fc.oneof(
		{ arbitrary: forged(secret), weight: 4 },
		{ arbitrary: altered(secret), weight: 3 },
		{ arbitrary: made, weight: 2 },
		{ arbitrary: misplaced, weight: 1 },
	);
}
