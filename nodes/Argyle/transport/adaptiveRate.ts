const WINDOW_MS = 1_000;

/**
 * How far requests may be ahead of an even spread: it lets a handful start at once and catches up on delays. Larger
 * bursts could overlap in one second of the server's window after network jitter.
 */
const BURST_MS = 100;

/** A 429 multiplies the rate by this. */
const BACKOFF_FACTOR = 0.7;

/** The rate then recovers linearly, and fully within this time. */
const RECOVERY_MS = 20_000;

/**
 * Decides when requests may start: a sliding window of one second, evenly filled, whose rate falls with each 429 and
 * recovers with time (AIMD), because others use the account's limit too. All times in milliseconds since 1970.
 */
export class AdaptiveRate {
	/** Start times of the last second at least, oldest first. */
	private readonly starts: number[] = [];

	/** When the next request would start in an even spread. */
	private due = 0;

	private reducedAt = -Infinity;

	private reducedTo: number;

	private heldUntil = 0;

	private lastNow = 0;

	private readonly perSecond: number;

	constructor(perSecond: number) {
		this.perSecond = perSecond;
		this.reducedTo = perSecond;
	}

	/** Requests per second that are allowed now: a whole number, at least 1. */
	rate(now: number): number {
		const recovered = (this.perSecond * (now - this.reducedAt)) / RECOVERY_MS;
		return Math.max(1, Math.floor(Math.min(this.perSecond, this.reducedTo + recovered)));
	}

	/** Milliseconds until the next request may start; 0 for now. */
	delay(now: number): number {
		if (now < this.lastNow) this.reset();
		this.lastNow = now;
		const lastOfWindow = this.starts.at(-this.rate(now)) ?? -Infinity;
		return Math.max(0, this.heldUntil - now, this.due - BURST_MS - now, lastOfWindow + WINDOW_MS - now);
	}

	recordStart(now: number): void {
		this.due = Math.max(this.due, now) + WINDOW_MS / this.rate(now);
		this.starts.push(now);
		if (this.starts.length > this.perSecond) this.starts.shift();
	}

	/**
	 * Lowers the rate, and holds everything until `Retry-After` is over. A request that started before the rate was last
	 * lowered holds, but does not lower it again: one burst counts once.
	 */
	onThrottled(startedAt: number, now: number, retryAfterMs = 0): void {
		this.heldUntil = Math.max(this.heldUntil, now + retryAfterMs);
		if (startedAt <= this.reducedAt) return;
		this.reducedTo = this.rate(now) * BACKOFF_FACTOR;
		this.reducedAt = now;
	}

	/** The clock was set back: times of the old clock would hold every request until it gets there again. */
	private reset(): void {
		this.starts.length = 0;
		this.due = 0;
		this.heldUntil = 0;
		this.reducedAt = -Infinity;
	}
}
