import { LruMap } from '../utils/lruMap';
import { ArgyleError } from './errors';

/**
 * If the last failure is longer ago than this, the next failure begins another outage. n8n's own retries of an
 * activation come within 8 s, so they count as the same outage.
 */
const FORGET_AFTER_MS = 15_000;

/**
 * An outage is dated back from its first failure by this time at most. A receipt may take two minutes to fail, which
 * says nothing about the service two minutes ago.
 */
const MAX_BACKDATING_MS = 30_000;

interface Outage {
	since: number;
	lastFailure: number;
}

/**
 * Notes since when each service has been away. All calls of this process with the same key share this. So an outage
 * costs one wait, and not one for each item, each workflow and each retry that n8n makes. Unlike a circuit breaker, the
 * tracker never blocks a call. All times are in milliseconds since 1970.
 */
export class OutageTracker {
	private readonly outages = new LruMap<Outage>();

	private readonly lastSuccesses = new LruMap<number>();

	/** Returns how much of `budgetMs` is left since the beginning of the outage. Without an outage, that is all of it. */
	remaining(service: string, now: number, budgetMs: number): number {
		const outage = this.current(service, now);
		return outage === undefined ? budgetMs : Math.max(0, outage.since + budgetMs - now);
	}

	/** Notes what a request that was sent at `sentAt` says about the service. */
	async observe<T>(service: string, sentAt: number, sent: Promise<T>): Promise<T> {
		return await sent.then(
			(result) => {
				this.recordSuccess(service, Date.now());
				return result;
			},
			(error: unknown) => {
				const now = Date.now();
				if (isOutage(error)) this.recordFailure(service, sentAt, now);
				else if (error instanceof ArgyleError && error.details.statusCode !== undefined)
					this.recordSuccess(service, now);
				throw error;
			},
		);
	}

	/**
	 * `sentAt` is when the failed request was sent. A new outage begins then, but at most `MAX_BACKDATING_MS` ago, and not
	 * before the last success.
	 */
	recordFailure(service: string, sentAt: number, now: number): void {
		const begin = Math.max(sentAt, now - MAX_BACKDATING_MS, this.lastSuccesses.get(service) ?? -Infinity);
		this.outages.set(service, { since: this.current(service, now)?.since ?? begin, lastFailure: now });
	}

	recordSuccess(service: string, now: number): void {
		this.outages.delete(service);
		this.lastSuccesses.set(service, now);
	}

	private current(service: string, now: number): Outage | undefined {
		const outage = this.outages.get(service);
		return outage !== undefined && now - outage.lastFailure < FORGET_AFTER_MS ? outage : undefined;
	}
}

/** A 429 is no outage, because other requests get their answers. */
const isOutage = (error: unknown) =>
	error instanceof ArgyleError && error.details.isTransient === true && error.details.statusCode !== 429;

export const outages = new OutageTracker();
