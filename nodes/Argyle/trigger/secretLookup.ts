import type { IWebhookFunctions } from 'n8n-workflow';

import { findSubscription, subscriptionsTo } from '../api/webhooks';
import { connect } from '../transport/client';
import { LruMap } from '../utils/lruMap';
import { isSecret, ourUrls, ROTATION_OVERLAP_MS, type TriggerState } from './staticData';

/** What the service last said about a trigger's subscriptions. */
export interface CachedSecrets {
	secrets: string[];
	/** Milliseconds since 1970. */
	at: number;
}

/** For a trigger without a secret, however many calls come in. */
export const LOOKUP_INTERVAL_MS = 5_000;

/** For a trigger with a secret, which an older one may have overwritten. */
export const RECHECK_INTERVAL_MS = 60_000;

/** As long as a retired secret: the subscription may have been replaced since. */
const TTL_MS = ROTATION_OVERLAP_MS;

const MAX_TRIGGERS = 1_000;

/**
 * TTL cache with single-flight, in memory only: static data written while a call is answered could overwrite a
 * registration that is in progress.
 */
export class SecretCache {
	private readonly cached = new LruMap<CachedSecrets>(MAX_TRIGGERS);

	private readonly inFlight = new Map<string, Promise<CachedSecrets>>();

	get(key: string, now: number): CachedSecrets | undefined {
		const cached = this.cached.get(key);
		return cached !== undefined && now - cached.at < TTL_MS ? cached : undefined;
	}

	/** Looks up at most once per `intervalMs`. Rejects with the lookup's error; the failure is cached as empty. */
	async refresh(key: string, now: number, lookUp: () => Promise<string[]>, intervalMs: number): Promise<CachedSecrets> {
		const shared = this.inFlight.get(key);
		if (shared !== undefined) return await shared;
		const last = this.get(key, now);
		if (last !== undefined && now - last.at < intervalMs) return last;
		this.keep(key, { secrets: last?.secrets ?? [], at: now });
		const lookup = lookUp().then((secrets) => this.keep(key, { secrets, at: now }));
		this.inFlight.set(key, lookup);
		return await lookup.finally(() => this.inFlight.delete(key));
	}

	private keep(key: string, secrets: CachedSecrets): CachedSecrets {
		this.cached.set(key, secrets);
		return secrets;
	}
}

/**
 * Argyle waits 10 s for an answer; these two requests at most must leave room for n8n's own work. No retries, because
 * Argyle repeats the delivery.
 */
const LOOKUP_TIMING = { timeoutMs: 3_000, maxElapsedMs: 0 };

/**
 * The secrets of the trigger's subscriptions, which the service shows to their owner: by the stored id, else by the
 * trigger's URL. Throws ArgyleError when the service can't be asked.
 */
export async function lookUpSecrets(context: IWebhookFunctions, state: TriggerState): Promise<string[]> {
	const client = await connect(context, LOOKUP_TIMING);
	const stored = state.subscriptionId === undefined ? undefined : await findSubscription(client, state.subscriptionId);
	const urls = ourUrls(state, context.getNodeWebhookUrl('default'));
	const found = stored === undefined ? await subscriptionsTo(client, urls) : [stored];
	return found.map(({ secret }) => secret).filter(isSecret);
}
