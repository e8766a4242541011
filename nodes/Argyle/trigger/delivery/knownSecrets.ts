import { isWithin } from '../../utils/elapsed';

/** The credential is read anew after this: its key may have been replaced. */
const DERIVED_TTL_MS = 300_000;

/** The credential that can't be read is tried again after this, however many calls come in. */
const UNREADABLE_TTL_MS = 5_000;

/**
 * Argyle waits 10 s for an answer and repeats a delivery once, 30 s later; the rest is for slow networks and clocks.
 */
const REGISTERED_TTL_MS = 120_000;

/** However many calls come in that no known secret signed. */
const LOOKUP_INTERVAL_MS = 60_000;

/** Where the secrets come from. */
export interface SecretSource {
	derive(): Promise<string>;
	/** Asks the service. */
	lookUp(): Promise<string[]>;
}

/** The secrets that verify the deliveries to one URL, in memory only. All times in milliseconds since 1970. */
export class KnownSecrets {
	/** When each was derived last. */
	private readonly derived = new Map<string, number>();

	/** When the service told each last. */
	private readonly registered = new Map<string, number>();

	private derivation: { at: number; ttlMs: number; isDone: Promise<unknown> } | undefined;

	private lookup: { at: number; isAnswered: Promise<boolean> } | undefined;

	/** Rejects when the credential can't be read. */
	async current(source: SecretSource, now: number): Promise<string[]> {
		const last = this.derivation;
		// Calls that come together wait for the same reading.
		await (last !== undefined && isWithin(last.ttlMs, last.at, now) ? last.isDone : this.derive(source, now));
		return this.valid(now);
	}

	/**
	 * Reads the credential anew and asks the service, at most once a minute and once for calls that come together.
	 * Resolves with false when they can't be asked for now.
	 */
	async refresh(source: SecretSource, now: number): Promise<boolean> {
		if (this.lookup === undefined || !isWithin(LOOKUP_INTERVAL_MS, this.lookup.at, now))
			this.lookup = { at: now, isAnswered: this.askAll(source, now) };
		return await this.lookup.isAnswered;
	}

	/** Each once. */
	valid(now: number): string[] {
		forgetOld(this.derived, DERIVED_TTL_MS, now);
		forgetOld(this.registered, REGISTERED_TTL_MS, now);
		return [...new Set([...this.derived.keys(), ...this.registered.keys()])];
	}

	private async derive(source: SecretSource, now: number): Promise<unknown> {
		const isDone = source.derive().then(
			(secret) => this.derived.set(secret, now),
			(error: unknown) => {
				derivation.ttlMs = UNREADABLE_TTL_MS;
				throw error;
			},
		);
		const derivation = { at: now, ttlMs: DERIVED_TTL_MS, isDone };
		this.derivation = derivation;
		return await isDone;
	}

	private async askAll(source: SecretSource, now: number): Promise<boolean> {
		const [derived, registered] = await Promise.allSettled([this.derive(source, now), source.lookUp()]);
		if (derived.status === 'rejected' || registered.status === 'rejected') return false;
		for (const secret of registered.value) this.registered.set(secret, now);
		return true;
	}
}

function forgetOld(secrets: Map<string, number>, ttlMs: number, now: number): void {
	for (const [secret, since] of secrets) if (!isWithin(ttlMs, since, now)) secrets.delete(secret);
}
