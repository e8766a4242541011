import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { type Environment, resolveEnvironment } from './environment';

/** The API key of a credential, and the environment to which the key is sent. */
export interface ApiKey {
	/** As n8n decrypted it. */
	credential: ICredentialDataDecryptedObject;
	environment: Environment;
	/**
	 * A digest of the environment and the API key's ID. It stays the same after a restart, so it can tell which key was
	 * used.
	 */
	keyDigest: string;
	/**
	 * A digest of the environment, the API key's ID and its secret. What was read with a key is shared only with
	 * credentials that have the same secret. This digest stays in memory, so nothing of the secret outlives the process.
	 */
	credentialDigest: string;
	/** What `keySecretsOf` returns for this key. */
	keySecrets: string[];
}

const FIELDS = ['environment', 'baseUrl', 'apiKeyId', 'apiKeySecret'];

const apiKeys = new WeakMap<object, ApiKey>();

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Returns what must not appear in any error: both parts of the key, and the form in which the Authorization header
 * carries them.
 */
export const keySecretsOf = (id: string, secret: string) => [
	secret,
	id,
	Buffer.from(`${id}:${secret}`).toString('base64'),
];

/**
 * Returns the API key of a credential. The items of an execution share one object as long as their credential has the
 * same values. Throws ArgyleError when the credential's base URL can't be used.
 */
export function apiKeyOf(context: object, credential: ICredentialDataDecryptedObject): ApiKey {
	const existing = apiKeys.get(context);
	if (existing !== undefined && FIELDS.every((field) => existing.credential[field] === credential[field])) {
		return existing;
	}
	const environment = resolveEnvironment(credential);
	const [id, secret] = [String(credential.apiKeyId).trim(), String(credential.apiKeySecret).trim()];
	const keyDigest = digestOf(`${environment.origin} ${id}`).slice(0, 16);
	const credentialDigest = digestOf(JSON.stringify([environment.origin, id, secret]));
	const apiKey = { credential, environment, keyDigest, credentialDigest, keySecrets: keySecretsOf(id, secret) };
	apiKeys.set(context, apiKey);
	return apiKey;
}
