import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { type Environment, resolveEnvironment } from './environment';

/** Where a credential leads, and what must be known of its key. */
export interface Connection {
	/** As n8n decrypted it. */
	credential: ICredentialDataDecryptedObject;
	environment: Environment;
	/** A digest of the environment and the API key's ID: equal for everything that uses the same key. */
	keyDigest: string;
	/** What must not appear in any error. */
	keySecrets: string[];
}

const FIELDS = ['environment', 'baseUrl', 'apiKeyId', 'apiKeySecret'];

const connections = new WeakMap<object, Connection>();

/**
 * Makes one connection for all items of an execution whose credential has the same values. Throws ArgyleError when the
 * credential's base URL can't be used.
 */
export function connectionOf(context: object, credential: ICredentialDataDecryptedObject): Connection {
	const existing = connections.get(context);
	if (existing !== undefined && FIELDS.every((field) => existing.credential[field] === credential[field])) {
		return existing;
	}
	const environment = resolveEnvironment(credential);
	const [id, secret] = [String(credential.apiKeyId).trim(), String(credential.apiKeySecret).trim()];
	const keyDigest = createHash('sha256').update(`${environment.origin} ${id}`).digest('hex').slice(0, 16);
	const keySecrets = [secret, id, Buffer.from(`${id}:${secret}`).toString('base64')];
	const connection = { credential, environment, keyDigest, keySecrets };
	connections.set(context, connection);
	return connection;
}
