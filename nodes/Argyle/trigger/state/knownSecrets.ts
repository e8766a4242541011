import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { deriveInnerSecret, deriveSecret } from '../../api/delivery';
import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { CREDENTIAL, LOOKUP, REPLACED_SECRET_MS } from './timing';

/**
 * How many secrets of the subscriptions to one URL count. A forged call is checked against each. There are rarely two.
 */
const MAX_SECRETS = 5;

/** What is derived from the credential. */
interface Derived {
	/** Signs deliveries. */
	secret: string;
	/** Signs what n8n's processes say to each other. */
	inner: string;
}

export const derivedFrom = (credential: ICredentialDataDecryptedObject, url: string): Derived => ({
	secret: deriveSecret(credential, url),
	inner: deriveInnerSecret(credential, url),
});

/** Where the secrets come from. */
export interface SecretSource {
	/** Derives the secrets from the credential. */
	derive(): Promise<Derived>;
	/** Asks Argyle for the secrets of its subscriptions to the URL. */
	lookUp(): Promise<string[]>;
}

/** An answer that is shared by calls that come together. */
interface Question<T> {
	at: number;
	/** How long to wait before the next question. */
	ttlMs: number;
	answer: Promise<T>;
}

/**
 * The secrets that verify the deliveries to one URL, in memory only. The key in the credential may be mistyped. So a
 * secret with which this process registered or saw the subscription, or verified a delivery, counts until Argyle says
 * otherwise. All times are in milliseconds since 1970.
 */
export class KnownSecrets {
	/** Each secret, and since when Argyle no longer shows it. */
	private readonly seen = new Map<string, number | undefined>();

	private derivation: Question<Derived> | undefined;

	private lookup: Question<boolean> | undefined;

	/**
	 * Returns the secrets that are derived from the credential. The credential was read at most `maxAgeMs` ago, because
	 * its key may have been replaced. Rejects when it can't be read.
	 */
	async derived(source: SecretSource, now: number, maxAgeMs = CREDENTIAL.keptMs): Promise<Derived> {
		const last = this.derivation;
		if (last !== undefined && isWithin(Math.min(last.ttlMs, maxAgeMs), last.at, now)) return await last.answer;
		const answer = source.derive().catch((error: unknown) => {
			derivation.ttlMs = CREDENTIAL.againMs;
			throw error;
		});
		const derivation = { at: now, ttlMs: CREDENTIAL.keptMs, answer };
		this.derivation = derivation;
		return await answer;
	}

	/** Keeps what was derived from the credential, which was read just now. */
	keepDerived(derived: Derived, now: number): void {
		this.derivation = { at: now, ttlMs: CREDENTIAL.keptMs, answer: Promise.resolve(derived) };
	}

	/**
	 * Asks Argyle for the secrets, seldom, and once for calls that come together. Resolves with whether Argyle answered.
	 */
	async askService(source: SecretSource, now: number): Promise<boolean> {
		const last = this.lookup;
		if (last !== undefined && isWithin(last.ttlMs, last.at, now)) return await last.answer;
		const answer = source.lookUp().then(
			(secrets) => {
				this.know(secrets, now);
				return true;
			},
			() => {
				lookup.ttlMs = LOOKUP.failedMs;
				return false;
			},
		);
		const lookup = { at: now, ttlMs: LOOKUP.answeredMs, answer };
		this.lookup = lookup;
		return await answer;
	}

	/**
	 * Remembers the secrets that Argyle has just shown, or was just given. All others count for two minutes more,
	 * because a delivery that they signed may still be on its way.
	 */
	know(secrets: readonly string[], now: number): void {
		// The key may have been replaced, so the secret is derived anew.
		this.derivation = undefined;
		for (const [secret, goneAt] of this.seen) this.seen.set(secret, goneAt ?? now);
		for (const secret of secrets) this.seen.set(secret, undefined);
	}

	/** Remembers a secret that has verified a delivery. */
	confirm(secret: string): void {
		if (!this.seen.has(secret)) this.seen.set(secret, undefined);
	}

	valid(now: number): string[] {
		for (const [secret, goneAt] of this.seen) {
			if (goneAt !== undefined && !isWithin(REPLACED_SECRET_MS, goneAt, now)) this.seen.delete(secret);
		}
		return [...this.seen.keys()];
	}
}

/** By credential and URL. */
const secretsInMemory = new LruMap<KnownSecrets>();

export function knownSecretsOf(
	context: IHookFunctions | ITriggerFunctions | IWebhookFunctions,
	url: string,
): KnownSecrets {
	const key = `${context.getNode().credentials?.argyleApi?.id} ${url}`;
	return secretsInMemory.getOrAdd(key, () => new KnownSecrets());
}

/** Whether it looks like a secret that this trigger derives. The trigger has registered no others. */
const isSecret = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

export function secretsOf(subscriptions: IDataObject[]): string[] {
	const secrets = subscriptions.map(({ secret }) => secret).filter(isSecret);
	return [...new Set(secrets)].slice(0, MAX_SECRETS);
}

/** Remembers, for `authenticate`, the secrets of the subscriptions to the URL. */
export function knowSecrets(
	context: IHookFunctions | ITriggerFunctions,
	url: string,
	subscriptions: IDataObject[],
): void {
	knownSecretsOf(context, url).know(secretsOf(subscriptions), Date.now());
}
