import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { deliveryBodies, eventMessages, signatureValues } from './arbitraries.mts';

/** A delivery that must not start the workflow, as n8n would pass it to the trigger. */
export interface ForgedDelivery {
	/** How it was forged, for the report of a failure. */
	kind: string;
	headers: Record<string, unknown>;
	rawBody: unknown;
}

/** As Node spells it. The package's own constant would hide a mistake in that constant. */
export const SIGNATURE_HEADER = 'x-argyle-signature';

const digest = (algorithm: string, key: string | Buffer, body: Buffer) => createHmac(algorithm, key).update(body);

const replaceAt = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at + 1);

/**
 * Wrong values of the signature header for a body. `seed` varies the value; none is valid. Those that are not 128 hex
 * digits have a unit test, and `signatureValues`.
 */
const SIGNATURE_MUTATIONS: Record<string, (body: Buffer, secret: string, seed: number) => unknown> = {
	missing: () => undefined,
	null: () => null,
	empty: () => '',
	'bytes of the right digest': (body, secret) => digest('sha512', secret, body).digest(),
	'the right one in a list': (body, secret) => [sign(body, secret)],
	'the right one twice, joined': (body, secret) => `${sign(body, secret)}, ${sign(body, secret)}`,
	'one digit changed': (body, secret, seed) => {
		const right = sign(body, secret);
		const at = seed % 128;
		return replaceAt(right, at, ((parseInt(right.charAt(at), 16) + 1 + (seed % 15)) % 16).toString(16));
	},
	'one digit changed, upper case': (body, secret, seed) => {
		const right = sign(body, secret).toUpperCase();
		const at = seed % 128;
		return replaceAt(right, at, right[at] === 'F' ? 'E' : 'F');
	},
	'one full-width digit': (body, secret, seed) => replaceAt(sign(body, secret), seed % 128, '\uff10'),
	'one digit that is not hex': (body, secret, seed) => replaceAt(sign(body, secret), seed % 128, 'g'),
	'upper case, of another secret': (body, _, seed) => sign(body, `other ${seed}`).toUpperCase(),
	'another secret': (body, _, seed) => sign(body, seed.toString(16).padStart(64, '0')),
	'an empty secret': (body) => sign(body, ''),
	'the secret in upper case': (body, secret) => sign(body, secret.toUpperCase()),
	"the secret's bytes instead of its hex": (body, secret) =>
		digest('sha512', Buffer.from(secret, 'hex'), body).digest('hex'),
	'the right digest of another body': (body, secret, seed) =>
		sign(Buffer.concat([body, Buffer.from(`${seed}`)]), secret),
	'the digest of the digest': (body, secret) => sign(sign(body, secret), secret),
	'a plain hash of secret and body': (body, secret) => createHash('sha512').update(secret).update(body).digest('hex'),
	'a plain hash of the body': (body) => createHash('sha512').update(body).digest('hex'),
	'SHA3-512': (body, secret) => digest('sha3-512', secret, body).digest('hex'),
	'SHA-256, repeated to the right length': (body, secret) => digest('sha256', secret, body).digest('hex').repeat(2),
	zeros: () => '0'.repeat(128),
};

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function flipBit(body: Buffer, seed: number): Buffer {
	const copy = Buffer.from(body);
	const at = seed % copy.length;
	copy.writeUInt8(copy.readUInt8(at) ^ (1 << seed % 8), at);
	return copy;
}

/**
 * Changes to the pretty-printed message of a correctly signed delivery, yielding what n8n would hold as raw body.
 * `seed` varies the change; none yields the same bytes in a Buffer.
 */
const BODY_MUTATIONS: Record<string, (body: Buffer, seed: number) => unknown> = {
	'one bit flipped': flipBit,
	'end cut off': (body, seed) => body.subarray(0, seed % body.length),
	'start cut off': (body, seed) => body.subarray(1 + (seed % body.length)),
	'a byte appended': (body, seed) => Buffer.concat([body, Buffer.from([seed % 256])]),
	'a byte prepended': (body, seed) => Buffer.concat([Buffer.from([seed % 256]), body]),
	'a BOM prepended': (body) => Buffer.concat([BOM, body]),
	'a line break appended': (body) => Buffer.concat([body, Buffer.from('\n')]),
	repeated: (body) => Buffer.concat([body, body]),
	compact: (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()))),
	'indented with tabs': (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, '\t')),
	'Windows line breaks': (body) => Buffer.from(body.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
	'in UTF-16': (body) => Buffer.from(body.toString(), 'utf16le'),
	gzip: (body) => gzipSync(body, { level: 1 }),
	'one more key': (body, seed) => Buffer.from(body.toString().replace('{', `{"extra${seed}":1,`)),
	'raw body missing': () => undefined,
	'null instead of bytes': () => null,
	'text instead of bytes': (body) => body.toString(),
	'an array of bytes instead of a Buffer': (body) => new Uint8Array(body),
	'the parsed object instead of bytes': (body) => JSON.parse(body.toString()),
};

const seeds = fc.nat();

const kindOf = (mutations: Record<string, unknown>) => fc.constantFrom(...Object.keys(mutations));

/** Any body, under a signature that is not its own. */
export function forgedSignatures(secret: string): fc.Arbitrary<ForgedDelivery> {
	return fc.tuple(kindOf(SIGNATURE_MUTATIONS), deliveryBodies, seeds).map(([kind, rawBody, seed]) => ({
		kind,
		headers: { [SIGNATURE_HEADER]: SIGNATURE_MUTATIONS[kind]?.(rawBody, secret, seed) },
		rawBody,
	}));
}

/** A correct signature, over a body that was changed after signing. */
function alteredBodies(secret: string): fc.Arbitrary<ForgedDelivery> {
	return fc.tuple(kindOf(BODY_MUTATIONS), eventMessages, seeds).map(([kind, body, seed]) => ({
		kind,
		headers: { [SIGNATURE_HEADER]: sign(body, secret) },
		rawBody: BODY_MUTATIONS[kind]?.(body, seed),
	}));
}

/** Deliveries of every kind that must be refused by a trigger with this secret. */
export function forgedDeliveries(secret: string): fc.Arbitrary<ForgedDelivery> {
	const inOtherHeader = fc
		.tuple(fc.constantFrom('X-Argyle-Signature', 'x-signature', 'x-argyle-signature ', 'authorization'), eventMessages)
		.map(([name, rawBody]) => ({ kind: `header ${name}`, headers: { [name]: sign(rawBody, secret) }, rawBody }));
	const guessed = fc
		.tuple(signatureValues, deliveryBodies)
		.map(([value, rawBody]) => ({ kind: 'guessed', headers: { [SIGNATURE_HEADER]: value }, rawBody }));
	return fc.oneof(
		{ arbitrary: forgedSignatures(secret), weight: 4 },
		{ arbitrary: alteredBodies(secret), weight: 3 },
		{ arbitrary: guessed, weight: 2 },
		{ arbitrary: inOtherHeader, weight: 1 },
	);
}
