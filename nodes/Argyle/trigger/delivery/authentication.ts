import type { IWebhookFunctions } from 'n8n-workflow';

import { parseSignature, SIGNATURE_HEADER, signingSecret } from '../../api/delivery';
import { subscriptionsTo } from '../../api/subscriptions';
import { connect } from '../../transport/client';
import { beforeDeadline } from '../../utils/clock';
import { CREDENTIAL, SECRET_LOOKUP } from '../state/timing';
import type { Trigger } from '../state/trigger';
import { readTestUrl } from '../state/savedState';
import { derivedFrom, knownSecretsOf, type SecretSource, secretsOf } from '../state/knownSecrets';

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
				.then((credential) => derivedFrom(credential, url))
				.catch(warn),
		lookUp: async () =>
			await connect(context, SECRET_LOOKUP)
				.then(async (client) => secretsOf(await subscriptionsTo(client, url)))
				.catch(warn),
	};
}

/**
 * For a test, n8n gives the production URL here, so the URL is the one that the hooks were given. It is undefined if
 * the call comes before they were called.
 */
function calledUrl(context: IWebhookFunctions, trigger: Trigger): string | undefined {
	if (context.getMode() !== 'manual') return context.getNodeWebhookUrl('default');
	return trigger.testUrl ?? readTestUrl(context.getWorkflowStaticData('node'));
}

/**
 * Who sent a call: Argyle, a process of this n8n (`inner`), or nobody who may. `undecided`: nobody can tell for now.
 */
type Sender = 'genuine' | 'inner' | 'refused' | 'undecided';

/**
 * Tells who sent exactly these bytes. If the secret of the credential did not sign them, the secret of a
 * newer or an older key may have. Then Argyle is asked which subscriptions send to this URL. Resolves with `undecided`
 * when nobody can tell for now, or not until the deadline (in milliseconds since 1970).
 */
export async function authenticate(
	context: IWebhookFunctions,
	trigger: Trigger,
	rawBody: Buffer,
	deadline: number,
): Promise<Sender> {
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
	// Both readings are mostly one: the second one is for a key that has just been replaced.
	let derived: Awaited<ReturnType<typeof known.derived>> | undefined;
	for (const maxAgeMs of [CREDENTIAL.keptMs, CREDENTIAL.againMs]) {
		derived = await known.derived(source, now, maxAgeMs).catch(unreadable);
		if (derived !== undefined && isSignedBy([derived.secret])) return 'genuine';
		if (derived !== undefined && signingSecret([derived.inner], rawBody, signature) !== undefined) return 'inner';
	}
	const isAnswered = (await beforeDeadline(deadline, known.askService(source, now))) ?? false;
	if (isSignedBy(known.valid(now))) return 'genuine';
	return isAnswered && derived !== undefined ? 'refused' : 'undecided';
}
