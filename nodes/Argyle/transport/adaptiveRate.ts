const WINDOW_MS = 1_000;

/**
 * How far requests may be ahead of an even spread. A handful may start at once, and requests that are late may catch
 * up. Larger bursts could overlap in one second of the service's window after network jitter.
 */
const BURST_MS = 100;

/**
 * After a 429 the rate falls to this part of the requests that the service accepted in the second before. If several
 * processes use up the account's limit, these requests are the share of this process.
 */
const ACCEPTED_PART = 0.95;

/** A 429 leaves at least this part of the rate. */
const LEAST_PART = 0.2;

/**
 * In this time, the gap to the full rate falls to a third. A process with a lower rate gains more in this time, so
 * several processes come to equal shares.
 */
const RECOVERY_MS = 45_000;

/**
 * Argyle counts requests for each second, so it accepts them again soon. A longer `Retry-After` often comes from a
 * proxy.
 */
export const MAX_HOLD_MS = 30_000;

/** How long all requests wait after a longer `Retry-After`, until the service is asked again. */
const SHORT_HOLD_MS = 2_000;

/**
 * Decides when requests may start: a sliding window of one second, evenly filled. Its rate falls with each 429 and
 * recovers with time, because others use the account's limit too. All times in milliseconds since 1970.
 */
export class AdaptiveRate {
	/** Start times of the last second at least, oldest first, without the requests that were refused. */
	private readonly starts: number[] = [];

	/** When the next request would start in an even spread. */
	private due = 0;

	/** From when on the rate recovers. */
	private reducedAt = -Infinity;

	private reducedTo: number;

	private heldUntil = 0;

	private lastNow = 0;

	private readonly perSecond: number;

	constructor(perSecond: number) {
		this.perSecond = perSecond;
		this.reducedTo = perSecond;
	}

	/** Requests per second that are allowed now, at least 1. */
	rate(now: number): number {
		const missing = (this.perSecond - this.reducedTo) * Math.exp(-Math.max(0, now - this.reducedAt) / RECOVERY_MS);
		return Math.max(1, this.perSecond - missing);
	}

	/** Milliseconds until the next request may start; 0 for now. */
	delay(now: number): number {
		// The clock was set back. Times of the old clock would hold every request until the clock reaches them again.
		if (now < this.lastNow) {
			this.starts.length = 0;
			[this.due, this.heldUntil, this.reducedAt] = [0, 0, -Infinity];
		}
		this.lastNow = now;
		const lastOfWindow = this.starts.at(-Math.floor(this.rate(now))) ?? -Infinity;
		return Math.max(0, this.heldUntil - now, this.due - BURST_MS - now, lastOfWindow + WINDOW_MS - now);
	}

	recordStart(now: number): void {
		this.due = Math.max(this.due, now) + WINDOW_MS / this.rate(now);
		this.starts.push(now);
		if (this.starts.length > this.perSecond) this.starts.shift();
	}

	/**
	 * Lowers the rate, once for all requests that were refused in one second. A `Retry-After` of more than a second can't
	 * be met by a lower rate, so it holds everything.
	 */
	onThrottled(startedAt: number, now: number, retryAfterMs = 0): void {
		const holdMs = retryAfterMs > MAX_HOLD_MS ? SHORT_HOLD_MS : retryAfterMs;
		if (holdMs > WINDOW_MS) this.heldUntil = Math.max(this.heldUntil, now + holdMs);
		const refused = this.starts.lastIndexOf(startedAt);
		if (refused !== -1) this.starts.splice(refused, 1);
		if (startedAt <= this.reducedAt + WINDOW_MS) return;
		const accepted = this.starts.filter((at) => at > startedAt - WINDOW_MS && at <= startedAt).length;
		this.reducedTo = Math.max(LEAST_PART * this.rate(now), ACCEPTED_PART * accepted);
		this.reducedAt = Math.max(now, this.heldUntil);
	}
}
