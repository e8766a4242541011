import type { IWebhookFunctions } from 'n8n-workflow';

import { deriveSecret } from '../api/secret';
import { listSubscriptions, subscriptionsTo } from '../api/subscriptions';
import { connect } from '../transport/client';

/**
 * Argyle waits 10 s for an answer; this must leave room for n8n's own work. No retries, because Argyle repeats the
 * delivery.
 */
const LOOKUP_TIMING = { timeoutMs: 3_000, maxElapsedMs: 0 };

/** Each is tried for a call that none of them signed, and there are rarely two. */
const MAX_SECRETS = 5;

/** A secret as this trigger derives them. Anything else would not have been registered by it. */
const isSecret = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Throws when the credential can't be read. */
export async function currentSecret(context: IWebhookFunctions, url: string): Promise<string> {
	return deriveSecret(await context.getCredentials('argyleApi'), url);
}

/** The different secrets of what sends to the URL; the service shows them to the key's owner. Throws ArgyleError. */
export async function registeredSecrets(context: IWebhookFunctions, url: string): Promise<string[]> {
	const client = await connect(context, LOOKUP_TIMING);
	const secrets = subscriptionsTo(url, await listSubscriptions(client)).map(({ secret }) => secret);
	return [...new Set(secrets.filter(isSecret))].slice(0, MAX_SECRETS);
}
