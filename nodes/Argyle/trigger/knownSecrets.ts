/** The credential is read anew after this: its key may have been replaced. */
const DERIVED_TTL_MS = 300_000;

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
	private readonly validUntil = new Map<string, number>();

	private derivedUntil = 0;

	private derivation: Promise<void> | undefined;

	private lookup: { at: number; isAnswered: Promise<boolean> } | undefined;

	/** Rejects when the credential can't be read. */
	async current(source: SecretSource, now: number): Promise<string[]> {
		if (now >= this.derivedUntil) this.derivation = this.derive(source, now);
		// Calls that come together wait for the same reading.
		await this.derivation;
		return this.valid(now);
	}

	/**
	 * Reads the credential anew and asks the service, at most once a minute and once for calls that come together.
	 * Resolves with false when they can't be asked for now.
	 */
	async refresh(source: SecretSource, now: number): Promise<boolean> {
		if (this.lookup === undefined || now - this.lookup.at >= LOOKUP_INTERVAL_MS || now < this.lookup.at) {
			this.lookup = { at: now, isAnswered: this.askAll(source, now) };
		}
		return await this.lookup.isAnswered;
	}

	valid(now: number): string[] {
		for (const [secret, until] of this.validUntil) if (until <= now) this.validUntil.delete(secret);
		return [...this.validUntil.keys()];
	}

	private async derive(source: SecretSource, now: number): Promise<void> {
		this.derivedUntil = now + DERIVED_TTL_MS;
		const secret = await source.derive().catch((error: unknown) => {
			this.derivedUntil = 0;
			throw error;
		});
		this.validUntil.set(secret, this.derivedUntil);
	}

	private async askAll(source: SecretSource, now: number): Promise<boolean> {
		this.derivation = this.derive(source, now);
		const [derived, registered] = await Promise.allSettled([this.derivation, source.lookUp()]);
		if (derived.status === 'rejected' || registered.status === 'rejected') return false;
		for (const secret of registered.value) {
			this.validUntil.set(secret, Math.max(this.validUntil.get(secret) ?? 0, now + REGISTERED_TTL_MS));
		}
		return true;
	}
}
