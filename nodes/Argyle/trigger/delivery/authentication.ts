import type { IWebhookFunctions } from 'n8n-workflow';

import { isSignedBy, parseSignature, SIGNATURE_HEADER } from '../../api/signature';
import { LruMap } from '../../utils/lruMap';
import { KnownSecrets, type SecretSource } from './knownSecrets';
import { currentSecret, registeredSecrets } from '../secretLookup';
import { triggerMemory } from '../triggerMemory';

const MAX_URLS = 10_000;

/** Of each credential and URL. */
const secretsInMemory = new LruMap<KnownSecrets>(MAX_URLS);

/** For a test n8n gives the production URL here. The hooks had the right one, unless the call comes before them. */
function calledUrl(context: IWebhookFunctions): string | undefined {
	return context.getMode() === 'manual' ? triggerMemory(context).testUrl : context.getNodeWebhookUrl('default');
}

function knownSecretsFor(context: IWebhookFunctions, url: string): KnownSecrets {
	const key = `${context.getNode().credentials?.argyleApi?.id} ${url}`;
	const existing = secretsInMemory.get(key);
	if (existing !== undefined) return existing;
	const created = new KnownSecrets();
	secretsInMemory.set(key, created);
	return created;
}

function sourceFor(context: IWebhookFunctions, url: string): SecretSource {
	let isLogged = false;
	const warn = (error: unknown) => {
		if (!isLogged)
			context.logger.warn('The Argyle Trigger could not ask whether a delivery is genuine; it is refused for now', {
				reason: String(error),
			});
		isLogged = true;
		throw error;
	};
	return {
		derive: async () => await currentSecret(context, url).catch(warn),
		lookUp: async () => await registeredSecrets(context, url).catch(warn),
	};
}

/**
 * Whether Argyle sent exactly these bytes. When the derived secret did not sign them, the credential is read anew and
 * the service is asked for the secrets of what sends to this URL: the key may just have been replaced. Undecided when
 * nothing can be known for now.
 */
export async function authenticate(
	context: IWebhookFunctions,
	rawBody: Buffer,
): Promise<'genuine' | 'refused' | 'undecided'> {
	const signature = parseSignature(context.getHeaderData()[SIGNATURE_HEADER]);
	if (signature === undefined) return 'refused';
	const url = calledUrl(context);
	if (url === undefined) return 'undecided';
	const known = knownSecretsFor(context, url);
	const source = sourceFor(context, url);
	const now = Date.now();
	const tried = await known.current(source, now).catch(() => undefined);
	if (tried === undefined) return 'undecided';
	if (isSignedBy(tried, rawBody, signature)) return 'genuine';
	const isAnswered = await known.refresh(source, now);
	const added = known.valid(now).filter((secret) => !tried.includes(secret));
	if (isSignedBy(added, rawBody, signature)) return 'genuine';
	return isAnswered ? 'refused' : 'undecided';
}

/** As `authenticate`, but without a request; for calls that are refused anyway. */
export async function hasKnownSignature(context: IWebhookFunctions, rawBody: Buffer): Promise<boolean> {
	const signature = parseSignature(context.getHeaderData()[SIGNATURE_HEADER]);
	const url = calledUrl(context);
	if (signature === undefined || url === undefined) return false;
	const secrets = await knownSecretsFor(context, url)
		.current(sourceFor(context, url), Date.now())
		.catch(() => []);
	return isSignedBy(secrets, rawBody, signature);
}
