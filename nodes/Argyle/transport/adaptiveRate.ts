const WINDOW_MS = 1_000;

/**
 * If requests were spread evenly, each would have a time to start. It may start this much earlier. So a handful may
 * start at once, and requests that are late may catch up. After a larger burst, network jitter could bring too many
 * requests into one second of the service's window.
 */
const BURST_MS = 100;

/**
 * After a 429, the rate falls to this part of the number of requests that the service accepted in the second before. If
 * several processes use up the account's limit, that number is the share of this process.
 */
const ACCEPTED_PART = 0.95;

/** One 429 never lowers the rate below this part of what it was. */
const LEAST_PART = 0.2;

/**
 * After this time, about a third of the gap between the lowered rate and the full rate is left. A process with a lower
 * rate gains more in this time, so several processes come to equal shares.
 */
const RECOVERY_MS = 45_000;

/**
 * A longer `Retry-After` is not obeyed. Argyle counts the requests of each second, so it soon accepts requests again. A
 * longer `Retry-After` often comes from a proxy.
 */
export const MAX_HOLD_MS = 30_000;

/** How long all requests wait if `Retry-After` is longer than `MAX_HOLD_MS`. After that, the service is asked again. */
const SHORT_HOLD_MS = 2_000;

/**
 * Decides when requests may start. It spreads them evenly, and limits how many start within any second. A 429 lowers
 * this rate, because others use the account's limit too. With time, the rate recovers. All times are in milliseconds
 * since 1970.
 */
export class AdaptiveRate {
	/** The start times of the newest requests, oldest first, at most `perSecond`. Requests that got a 429 are left out. */
	private readonly starts: number[] = [];

	/** When the next request would start in an even spread. */
	private due = 0;

	/** The time from which the rate recovers. */
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
		// The clock was set back. The noted times are now in the future, and would hold every request until then.
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
	 * Lowers the rate, but only once for all requests that started before the last reduction or within a second after it.
	 * If `Retry-After` is longer than a second, a lower rate does not help, so all requests wait.
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
