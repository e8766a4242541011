import type { IWebhookFunctions } from 'n8n-workflow';

import { deriveSecret, parseSignature, SIGNATURE_HEADER, signingSecret } from '../../api/delivery';
import { subscriptionsTo } from '../../api/subscriptions';
import { connect } from '../../transport/client';
import { beforeDeadline } from '../../utils/clock';
import { CREDENTIAL_AGAIN_MS, SECRET_LOOKUP } from '../state/timing';
import type { Trigger } from '../state/trigger';
import { knownSecretsOf, type SecretSource, secretsOf } from '../state/knownSecrets';

function sourceFor(context: IWebhookFunctions, url: string): SecretSource {
	let isLogged = false;
	const warn = (error: unknown) => {
		if (!isLogged)
			context.logger.warn('The Argyle Trigger could not find out which secret a delivery has to be signed with', {
				reason: String(error),
			});
		isLogged = true;
		throw error;
	};
	return {
		derive: async () =>
			await context
				.getCredentials('argyleApi')
				.then((credential) => deriveSecret(credential, url))
				.catch(warn),
		lookUp: async () =>
			await connect(context, SECRET_LOOKUP)
				.then(async (client) => secretsOf(await subscriptionsTo(client, url)))
				.catch(warn),
	};
}

/**
 * For a test, n8n gives the production URL here, so the URL is the one that the hooks have noted. It is undefined if
 * the call comes before they have noted it.
 */
function calledUrl(context: IWebhookFunctions, trigger: Trigger): string | undefined {
	if (context.getMode() !== 'manual') return context.getNodeWebhookUrl('default');
	const { testUrl } = context.getWorkflowStaticData('node');
	return trigger.testUrl ?? (typeof testUrl === 'string' ? testUrl : undefined);
}

/**
 * Tells whether Argyle sent exactly these bytes. If the secret of the credential did not sign them, the secret of a
 * newer or an older key may have. Then Argyle is asked which subscriptions send to this URL. Resolves with `undecided`
 * when nobody can tell for now, or not until the deadline (in milliseconds since 1970).
 */
export async function authenticate(
	context: IWebhookFunctions,
	trigger: Trigger,
	rawBody: Buffer,
	deadline: number,
): Promise<'genuine' | 'refused' | 'undecided'> {
	const signature = parseSignature(context.getHeaderData()[SIGNATURE_HEADER]);
	if (signature === undefined) return 'refused';
	const url = calledUrl(context, trigger);
	if (url === undefined) return 'undecided';
	const known = knownSecretsOf(context, url);
	const source = sourceFor(context, url);
	const now = Date.now();

	const isSignedBy = (secrets: string[]): boolean => {
		const secret = signingSecret(secrets, rawBody, signature);
		if (secret !== undefined) known.confirm(secret);
		return secret !== undefined;
	};
	const unreadable = () => undefined;
	const derived = await known.derived(source, now).catch(unreadable);
	if (derived !== undefined && isSignedBy([derived])) return 'genuine';
	const derivedAgain = await known.derived(source, now, CREDENTIAL_AGAIN_MS).catch(unreadable);
	if (derivedAgain !== undefined && isSignedBy([derivedAgain])) return 'genuine';
	const isAnswered = (await beforeDeadline(deadline, known.askService(source, now))) ?? false;
	if (isSignedBy(known.valid(now))) return 'genuine';
	return isAnswered && derivedAgain !== undefined ? 'refused' : 'undecided';
}
