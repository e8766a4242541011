import { createHmac, timingSafeEqual } from 'node:crypto';

/** As Node names it (Argyle's webhook object page; on every recorded delivery). */
export const SIGNATURE_HEADER = 'x-argyle-signature';

const DIGEST_BYTES = 64;

/** The digest in a signature header, undefined unless it is exactly one HMAC-SHA512 in hex. */
export function parseSignature(header: unknown): Buffer | undefined {
	if (typeof header !== 'string' || header.length !== 2 * DIGEST_BYTES) return undefined;
	// Node stops decoding at the first character that is not hex.
	const digest = Buffer.from(header, 'hex');
	return digest.length === DIGEST_BYTES ? digest : undefined;
}

/**
 * Whether one of the secrets signed exactly these bytes. Only the raw body verifies: Argyle's bodies are
 * pretty-printed, so re-encoded JSON never would. False without a secret.
 */
export function isSignedBy(secrets: readonly string[], rawBody: Buffer, digest: Buffer): boolean {
	return secrets.some((secret) => timingSafeEqual(createHmac('sha512', secret).update(rawBody).digest(), digest));
}
