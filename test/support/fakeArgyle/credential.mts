import type { ApiKey } from './types.mts';

/** The fields of an `argyleApi` credential for a fake Argyle. */
export function credentialFor({ origin, key }: { origin: string; key: ApiKey }) {
	return { environment: 'custom', baseUrl: origin, apiKeyId: key.id, apiKeySecret: key.secret };
}
