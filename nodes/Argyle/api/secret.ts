import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { hkdfSync } from 'node:crypto';

const SECRET_BYTES = 32;

/**
 * The secret of the subscription that sends to `url`, in hex. It is derived (HKDF, RFC 5869) instead of stored, so that
 * only who has the credential knows it, and nothing can be lost, planted or grow old.
 */
export function deriveSecret({ apiKeySecret }: ICredentialDataDecryptedObject, url: string): string {
	const derived = hkdfSync('sha256', String(apiKeySecret), '', `n8n-nodes-argyle webhook ${url}`, SECRET_BYTES);
	return Buffer.from(derived).toString('hex');
}
