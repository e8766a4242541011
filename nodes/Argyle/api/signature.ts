import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The header that carries the signature (Argyle's webhook object page; seen on every recorded delivery), as Node
 * names it.
 */
export const SIGNATURE_HEADER = 'x-argyle-signature';

const DIGEST_BYTES = 64;

/** Gives the bytes of a digest in hex, of either case, sent once; undefined for everything else. Node ends reading hex at the first other character. */
function parseSignature(value: unknown): Buffer | undefined {
	if (typeof value !== 'string' || value.length !== 2 * DIGEST_BYTES) return undefined;
	const digest = Buffer.from(value, 'hex');
	return digest.length === DIGEST_BYTES ? digest : undefined;
}

/**
 * Takes the value of the signature header, of whatever type; tells whether it has the form of an HMAC-SHA512 in hex,
 * sent once.
 */
export function isSignature(value: unknown): boolean {
	return parseSignature(value) !== undefined;
}

/**
 * Takes the raw bytes of a delivery, its signature header and the secrets in force; tells whether one of them signed
 * exactly these bytes. HMAC-SHA512 in hex over the raw body: Argyle's bodies are pretty-printed, so re-encoded JSON
 * would never verify. The comparison takes the same time wherever two digests differ. Never throws; false without a
 * secret.
 */
export function isSignedBy(secrets: readonly string[], rawBody: Buffer, signature: unknown): boolean {
	const received = parseSignature(signature);
	if (received === undefined) return false;
	return secrets.some((secret) => timingSafeEqual(createHmac('sha512', secret).update(rawBody).digest(), received));
}
