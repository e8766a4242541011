/** An outage of which nothing was heard for so long is over, or another one: n8n's own repeats come within 8 s. */
const FORGET_AFTER_MS = 20_000;

interface Outage {
	since: number;
	lastFailure: number;
}

/**
 * Since when each service has been away, for everything that calls it from this process. So a service that is away
 * costs one wait and not one for each item, each workflow and each of n8n's own repeats.
 */
export class OutageTracker {
	private readonly outages = new Map<string, Outage>();

	/**
	 * Takes a service's origin, the time (milliseconds since 1970) and how long an outage is waited for; gives how much
	 * of that is left, all of it when the service isn't known to be away.
	 */
	remaining(origin: string, now: number, patienceMs: number): number {
		const outage = this.current(origin, now);
		return outage === undefined ? patienceMs : Math.max(0, outage.since + patienceMs - now);
	}

	/** Notes that the service failed to answer properly what it was asked at a time (milliseconds since 1970). */
	recordFailure(origin: string, askedAt: number, now: number): void {
		this.outages.set(origin, { since: this.current(origin, now)?.since ?? askedAt, lastFailure: now });
	}

	/** Notes that the service answered. */
	recordSuccess(origin: string): void {
		this.outages.delete(origin);
	}

	private current(origin: string, now: number): Outage | undefined {
		const outage = this.outages.get(origin);
		return outage !== undefined && now - outage.lastFailure < FORGET_AFTER_MS ? outage : undefined;
	}
}
