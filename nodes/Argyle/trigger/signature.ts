import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The header that carries the signature (Argyle's webhook object page; seen on every recorded delivery), as Node
 * names it.
 */
export const SIGNATURE_HEADER = 'x-argyle-signature';

const SHA512_HEX = /^[0-9a-f]{128}$/i;

/**
 * Takes the value of the signature header, of whatever type; tells whether it has the form of an HMAC-SHA512 in hex,
 * sent once.
 */
export function isSignature(value: unknown): value is string {
	return typeof value === 'string' && SHA512_HEX.test(value);
}

/**
 * Takes the raw bytes of a delivery, its signature header and the secrets in force; tells whether one of them signed
 * exactly these bytes. HMAC-SHA512 in hex over the raw body: Argyle's bodies are pretty-printed, so re-encoded JSON
 * would never verify. The comparison takes the same time wherever two digests differ. Never throws; false without a
 * secret.
 */
export function isSignedByOneOf(secrets: readonly string[], rawBody: Buffer, signature: unknown): boolean {
	if (!isSignature(signature)) return false;
	const received = Buffer.from(signature, 'hex');
	return secrets.some((secret) => timingSafeEqual(createHmac('sha512', secret).update(rawBody).digest(), received));
}
