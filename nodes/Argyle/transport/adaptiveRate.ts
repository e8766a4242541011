const WINDOW_MS = 1_000;

/**
 * How far requests may be ahead of an even spread: it lets a handful start at once and catches up on delays. Larger
 * bursts could overlap in one second of the server's window after network jitter.
 */
const BURST_MS = 100;

/**
 * After a 429 the rate falls to this part of what the service took in the second before: with the limit used up, that
 * is this process's share of it. The bounds are parts of the rate until then.
 */
const ACCEPTED_PART = 0.95;
const LEAST_PART = 0.4;
const MOST_PART = 0.85;

/**
 * If this part of the full rate was accepted, nobody else used the limit, and requests were only delayed on their way.
 */
const ALONE_PART = 0.85;

/** A request that starts this soon after the rate was lowered may meet the same full second at the service. */
const COOLDOWN_MS = 1_000;

/**
 * A longer `Retry-After` does not come from the limit of a second. It is often a proxy's, and the wait is over much
 * sooner.
 */
export const MAX_HOLD_MS = 30_000;

/** How soon the service is tried again after a longer `Retry-After`. Each further refusal doubles this time. */
const FIRST_HOLD_MS = 2_000;

/**
 * In this time, the gap to the full rate falls to a third. A process with a lower rate gains more, so several processes
 * reach equal shares.
 */
const RECOVERY_MS = 45_000;

/** The time for the same recovery if nobody else used the limit. */
const RECOVERY_ALONE_MS = 5_000;

/**
 * Decides when requests may start: a sliding window of one second, evenly filled, whose rate falls with each 429 and
 * recovers with time (AIMD), because others use the account's limit too. All times in milliseconds since 1970.
 */
export class AdaptiveRate {
	/** Start times of the last second at least, oldest first. */
	private readonly starts: number[] = [];

	/** Start times of the requests that were refused in the last seconds. */
	private refused: number[] = [];

	/** When the next request would start in an even spread. */
	private due = 0;

	/** When the rate begins to recover. */
	private reducedAt = -Infinity;

	private reducedTo: number;

	private recoveryMs = RECOVERY_MS;

	private heldSince = 0;

	private heldUntil = 0;

	/** How long the next `Retry-After` that is too long holds requests. */
	private nextHoldMs = FIRST_HOLD_MS;

	private lastNow = 0;

	private readonly perSecond: number;

	constructor(perSecond: number) {
		this.perSecond = perSecond;
		this.reducedTo = perSecond;
	}

	/** Requests per second that are allowed now, at least 1. */
	rate(now: number): number {
		const missing = (this.perSecond - this.reducedTo) * Math.exp(-Math.max(0, now - this.reducedAt) / this.recoveryMs);
		return Math.max(1, this.perSecond - missing);
	}

	/** Milliseconds until the next request may start; 0 for now. */
	delay(now: number): number {
		if (now < this.lastNow) this.reset();
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
	 * Notes that the service answers again, so that nothing waits for the rest of `Retry-After`. Returns whether a hold
	 * ended.
	 */
	onAccepted(startedAt: number, now: number): boolean {
		if (startedAt <= this.heldSince) return false;
		this.nextHoldMs = FIRST_HOLD_MS;
		if (now >= this.heldUntil) return false;
		this.heldUntil = 0;
		this.reducedAt = now;
		return true;
	}

	/**
	 * Lowers the rate, once for one burst. A `Retry-After` of more than a second, which a lower rate does not answer,
	 * holds everything.
	 */
	onThrottled(startedAt: number, now: number, retryAfterMs = 0): void {
		this.refused = [...this.refused.filter((at) => at > now - 10 * WINDOW_MS), startedAt];
		if (retryAfterMs > MAX_HOLD_MS) return this.tryAgainSeldom(startedAt, now);
		if (retryAfterMs > WINDOW_MS) this.hold(now, retryAfterMs);
		if (startedAt <= this.reducedAt + COOLDOWN_MS) return;
		const rate = this.rate(now);
		const accepted = this.acceptedBefore(startedAt);
		const isAlone = accepted > ALONE_PART * this.perSecond;
		const most = isAlone ? rate : MOST_PART * rate;
		this.reducedTo = Math.max(LEAST_PART * rate, Math.min(most, ACCEPTED_PART * accepted));
		this.reducedAt = Math.max(now, this.heldUntil);
		this.recoveryMs = isAlone ? RECOVERY_ALONE_MS : RECOVERY_MS;
	}

	private hold(now: number, ms: number): void {
		this.heldSince = now;
		this.heldUntil = Math.max(this.heldUntil, now + ms);
	}

	/** Of several requests that were under way when the service began to refuse, the first one counts. */
	private tryAgainSeldom(startedAt: number, now: number): void {
		if (startedAt <= this.heldSince) return;
		this.hold(now, this.nextHoldMs);
		this.nextHoldMs = Math.min(2 * this.nextHoldMs, MAX_HOLD_MS);
		this.reducedTo = 1;
		this.reducedAt = this.heldUntil;
		this.recoveryMs = RECOVERY_MS;
	}

	/** Returns how many requests of the second before that time were not refused. */
	private acceptedBefore(time: number): number {
		const isInWindow = (at: number) => at > time - WINDOW_MS && at <= time;
		return this.starts.filter(isInWindow).length - this.refused.filter(isInWindow).length;
	}

	/** The clock was set back. Times of the old clock would hold every request until the clock reaches them again. */
	private reset(): void {
		this.starts.length = 0;
		this.refused = [];
		this.due = 0;
		this.heldSince = 0;
		this.heldUntil = 0;
		this.nextHoldMs = FIRST_HOLD_MS;
		this.reducedAt = -Infinity;
		this.reducedTo = this.perSecond;
	}
}
