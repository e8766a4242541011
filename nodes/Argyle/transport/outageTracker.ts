/** After this silence a failure begins another outage. n8n's own retries of an activation come within 8 s. */
const FORGET_AFTER_MS = 20_000;

interface Outage {
	since: number;
	lastFailure: number;
}

/**
 * Since when each service has been away, for every call of this process: an outage costs one wait, not one for each
 * item, each workflow and each of n8n's own retries. Unlike a circuit breaker it never blocks a call. All times in
 * milliseconds since 1970.
 */
export class OutageTracker {
	private readonly outages = new Map<string, Outage>();

	/** What is left of `budgetMs`, which counts from the beginning of the outage; all of it when there is none. */
	remaining(origin: string, now: number, budgetMs: number): number {
		const outage = this.current(origin, now);
		return outage === undefined ? budgetMs : Math.max(0, outage.since + budgetMs - now);
	}

	/** `askedAt` is when the failed call was made: it dates the beginning of a new outage. */
	recordFailure(origin: string, askedAt: number, now: number): void {
		this.outages.set(origin, { since: this.current(origin, now)?.since ?? askedAt, lastFailure: now });
	}

	recordSuccess(origin: string): void {
		this.outages.delete(origin);
	}

	private current(origin: string, now: number): Outage | undefined {
		const outage = this.outages.get(origin);
		return outage !== undefined && now - outage.lastFailure < FORGET_AFTER_MS ? outage : undefined;
	}
}
