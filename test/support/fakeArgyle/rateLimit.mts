/** A sliding window of one second over all endpoints. */
export class RateLimit {
	private readonly times: number[] = [];

	private readonly perSecond: number;

	constructor(perSecond: number) {
		this.perSecond = perSecond;
	}

	/** Counts the request only if it is allowed. `now` is in milliseconds. */
	allows(now: number): boolean {
		while (this.times.length > 0 && (this.times[0] ?? 0) <= now - 1_000) this.times.shift();
		if (this.times.length >= this.perSecond) return false;
		this.times.push(now);
		return true;
	}
}
