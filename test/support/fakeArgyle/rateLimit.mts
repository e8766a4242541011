/** Counts the requests of the last second over all endpoints. */
export class RateLimit {
	private readonly times: number[] = [];

	private readonly perSecond: number;

	constructor(perSecond: number) {
		this.perSecond = perSecond;
	}

	/** Takes the time in milliseconds; tells whether one more request is allowed now, and counts it if so. */
	allows(now: number): boolean {
		while (this.times.length > 0 && (this.times[0] ?? 0) <= now - 1_000) this.times.shift();
		if (this.times.length >= this.perSecond) return false;
		this.times.push(now);
		return true;
	}
}
