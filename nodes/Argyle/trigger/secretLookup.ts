import type { IWebhookFunctions } from 'n8n-workflow';

import { connect } from '../transport/client';
import { findSubscription, subscriptionsTo } from '../api/webhooks';
import { putNewest } from '../utils/lruMap';
import { isSecret, ROTATION_OVERLAP_MS, ourUrls, type TriggerState } from './staticData';

/** What the service last said about a trigger's subscription. */
export interface CachedSecrets {
	secrets: string[];
	/** Milliseconds since 1970. */
	at: number;
}

/** Asks the service for the secrets of a trigger's subscriptions. */
export type SecretLookup = () => Promise<string[]>;

/** However many calls come in, the service is asked at most this often for a trigger that has no secret. */
export const LOOKUP_INTERVAL_MS = 5_000;

/** As often as that for a trigger that has one, which may have been overwritten by an older one. */
export const RECHECK_INTERVAL_MS = 60_000;

/** A reading is as good as a retired secret, and not longer: its subscription may have been replaced. */
const FORGET_AFTER_MS = ROTATION_OVERLAP_MS;

/** Triggers whose readings are kept; the oldest goes first. */
const MOST_READINGS = 1_000;

/**
 * Remembers in this process, and nowhere else, what the service said of secrets that n8n has lost: static data
 * written from `webhook()` could overwrite a registration that is under way.
 */
export class SecretCache {
	private readonly readings = new Map<string, CachedSecrets>();

	private readonly inFlight = new Map<string, Promise<CachedSecrets>>();

	/** Takes a trigger's key and the time; gives the last reading, undefined when there is none or it is too old. */
	get(key: string, now: number): CachedSecrets | undefined {
		const reading = this.readings.get(key);
		return reading !== undefined && now - reading.at < FORGET_AFTER_MS ? reading : undefined;
	}

	/**
	 * Takes a trigger's key, the time, how to ask and how seldom (milliseconds); gives a reading not older than that.
	 * Calls that come in together share one question. Rejects with what `ask` rejects with; a failed question counts as an empty
	 * reading, so that it isn't repeated at once.
	 */
	async refresh(key: string, now: number, ask: SecretLookup, everyMs: number): Promise<CachedSecrets> {
		const shared = this.inFlight.get(key);
		if (shared !== undefined) return await shared;
		const last = this.get(key, now);
		if (last !== undefined && now - last.at < everyMs) return last;
		this.keep(key, { secrets: last?.secrets ?? [], at: now });
		const question = ask().then((secrets) => this.keep(key, { secrets, at: now }));
		this.inFlight.set(key, question);
		return await question.finally(() => this.inFlight.delete(key));
	}

	private keep(key: string, reading: CachedSecrets): CachedSecrets {
		putNewest(this.readings, key, reading, MOST_READINGS);
		return reading;
	}
}

/**
 * Argyle waits 10 s for an answer; the question, of two requests at the most, has to leave room for n8n's own work. One
 * that fails isn't repeated, because Argyle repeats the delivery.
 */
const ASKING = { timeoutMs: 3_000, maxElapsedMs: 0 };

/**
 * Reads the secrets of the trigger's subscriptions at the service, which shows them to their owner: by the remembered
 * id, else by the trigger's URL. Gives [] when there is no subscription. Throws ArgyleError when the service can't be
 * asked.
 */
export async function lookUpSecrets(context: IWebhookFunctions, state: TriggerState): Promise<string[]> {
	const client = await connect(context, ASKING);
	const remembered =
		state.subscriptionId === undefined ? undefined : await findSubscription(client, state.subscriptionId);
	const urls = ourUrls(state, context.getNodeWebhookUrl('default'));
	const found = remembered === undefined ? await subscriptionsTo(client, urls) : [remembered];
	return found.map(({ secret }) => secret).filter(isSecret);
}
