import type { Logger } from 'n8n-workflow';

import { isSameUrl, type Subscription } from '../../api/subscriptions';
import { LruMap } from '../../utils/lruMap';
import type { RegisteredSubscription } from '../state/staticData';

/** By ID: each is named once in the life of the process. */
const named = new LruMap<true>(1_000);

/**
 * Names the subscription that was registered under another address or with another API key. It is left alone, because
 * static data is copied along with a workflow: it may be a live subscription of the n8n that the copy was made from.
 */
export function warnOfStaleSubscription(
	logger: Logger,
	registered: RegisteredSubscription | undefined,
	current: { url: string; keyDigest: string },
	replaced: Subscription[],
): void {
	const { id, url, keyDigest, environment } = registered ?? {};
	if (id === undefined || url === undefined) return;
	if (named.get(id) !== undefined || replaced.some((subscription) => subscription.id === id)) return;
	const isSameAccount = keyDigest === current.keyDigest;
	if (isSameUrl(url, current.url) && isSameAccount) return;
	named.set(id, true);
	const why = isSameAccount ? "n8n's address has changed" : 'the API key has changed';
	logger.warn(
		`The Argyle subscription ${id} was left alone, because ${why}: it sends to ${url} and was made with a key of ${environment}. If no other n8n uses that address, delete it in the Argyle Console under Developers > Webhooks.`,
	);
}
