import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { deliveryBodies, eventMessages, signatureValues } from './arbitraries.mts';

/** A delivery that must not start the workflow, as n8n would pass it to the trigger. */
interface ForgedDelivery {
	/** How it was forged, for the report of a failure. */
	kind: string;
	headers: Record<string, unknown>;
	rawBody: unknown;
}

/** As Node spells it. The package's own constant would hide a mistake in that constant. */
export const SIGNATURE_HEADER = 'x-argyle-signature';

const replaceAt = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at + 1);

/** 128 hex digits that are no signature of a body. `seed` varies them. Other forms are in `signatureValues`. */
const SIGNATURE_MUTATIONS: Record<string, (body: Buffer, secret: string, seed: number) => string> = {
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
	'upper case, of another secret': (body, _, seed) => sign(body, `other ${seed}`).toUpperCase(),
	'another secret': (body, _, seed) => sign(body, seed.toString(16).padStart(64, '0')),
	'the right digest of another body': (body, secret, seed) =>
		sign(Buffer.concat([body, Buffer.from(`${seed}`)]), secret),
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
	'a byte appended': (body, seed) => Buffer.concat([body, Buffer.from([seed % 256])]),
	'a BOM prepended': (body) => Buffer.concat([BOM, body]),
	compact: (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()))),
	'Windows line breaks': (body) => Buffer.from(body.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
	'in UTF-16': (body) => Buffer.from(body.toString(), 'utf16le'),
	gzip: (body) => gzipSync(body, { level: 1 }),
	'raw body missing': () => undefined,
	'null instead of bytes': () => null,
	'text instead of bytes': (body) => body.toString(),
	'an array of bytes instead of a Buffer': (body) => new Uint8Array(body),
	'the parsed object instead of bytes': (body) => JSON.parse(body.toString()),
};

const seeds = fc.nat();

const kindOf = (mutations: Record<string, unknown>) => fc.constantFrom(...Object.keys(mutations));

function forgedSignatures(secret: string): fc.Arbitrary<ForgedDelivery> {
	return fc.tuple(kindOf(SIGNATURE_MUTATIONS), deliveryBodies, seeds).map(([kind, rawBody, seed]) => ({
		kind,
		headers: { [SIGNATURE_HEADER]: SIGNATURE_MUTATIONS[kind]?.(rawBody, secret, seed) },
		rawBody,
	}));
}

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
