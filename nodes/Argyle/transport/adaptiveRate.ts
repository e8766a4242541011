const WINDOW_MS = 1_000;

/**
 * By how much a request may be ahead of an even spread: what came late is made up for, and a handful starts at once. More would
 * come to the service in a crowd, and a little delay on the way puts two crowds into one second.
 */
const BURST_MS = 100;

/** To which part of it a refusal brings the rate down. */
const BACKOFF_FACTOR = 0.7;

/** How long after a refusal the full rate is reached again. */
const RECOVERY_MS = 20_000;

/**
 * When requests may start: never more in any second than the rate allows, and spread over it. A refusal for too many requests brings the
 * rate down, because others use the account too; it comes up again by and by. All times in milliseconds since 1970.
 */
export class AdaptiveRate {
	/** Of the last second at least, oldest first. */
	private readonly starts: number[] = [];

	/** When the next one would start in an even spread. */
	private due = 0;

	private slowedAt = -Infinity;

	private slowedTo: number;

	private heldUntil = 0;

	private lastLook = 0;

	private readonly perSecond: number;

	constructor(perSecond: number) {
		this.perSecond = perSecond;
		this.slowedTo = perSecond;
	}

	/** Takes the time; gives how many requests a second are allowed now: a whole number, 1 at the least. */
	rate(now: number): number {
		const regained = (this.perSecond * (now - this.slowedAt)) / RECOVERY_MS;
		return Math.max(1, Math.floor(Math.min(this.perSecond, this.slowedTo + regained)));
	}

	/** Takes the time; gives the milliseconds until the next request may start, 0 for now. */
	delay(now: number): number {
		if (now < this.lastLook) this.forget();
		this.lastLook = now;
		const lastOfRate = this.starts.at(-this.rate(now)) ?? -Infinity;
		return Math.max(0, this.heldUntil - now, this.due - BURST_MS - now, lastOfRate + WINDOW_MS - now);
	}

	/** Notes that a request starts. */
	recordStart(now: number): void {
		this.due = Math.max(this.due, now) + WINDOW_MS / this.rate(now);
		this.starts.push(now);
		if (this.starts.length > this.perSecond) this.starts.shift();
	}

	/**
	 * Takes when a request started that was refused for too many, the time, and how long the service asks to wait. Nothing
	 * starts before that is over; what was refused although it started before the rate came down brings it down no further.
	 */
	onThrottled(startedAt: number, now: number, retryAfterMs = 0): void {
		this.heldUntil = Math.max(this.heldUntil, now + retryAfterMs);
		if (startedAt <= this.slowedAt) return;
		this.slowedTo = this.rate(now) * BACKOFF_FACTOR;
		this.slowedAt = now;
	}

	/** The clock was set back: what was noted by it would hold everything until it gets there again. */
	private forget(): void {
		this.starts.length = 0;
		this.due = 0;
		this.heldUntil = 0;
		this.slowedAt = -Infinity;
	}
}
