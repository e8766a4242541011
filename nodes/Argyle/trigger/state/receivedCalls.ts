import { CLOCK_STEP_MS, DELIVERED_MS, SENT_TOLERANCE_MS } from './timing';

/**
 * A period in which the service sent something that n8n did not receive, in milliseconds since 1970 by the service's
 * clock.
 */
export interface Loss {
	/** When n8n took its last call. */
	after: number;
	/** When the service last sent something. */
	until: number;
}

/**
 * Compares when this process last took a call of one trigger with when the service says that it last sent something. If
 * the service sent something later, it was lost. The service's word counts only after it has followed a call that came
 * here.
 */
export class ReceivedCalls {
	/** In milliseconds since 1970, by n8n's clock. */
	private lastAt: number | undefined;

	/** What the service said at the last look. */
	private lastSentAt: number | undefined;

	/** How far the service's clock was ahead at the last look. */
	private offsetMs: number | undefined;

	private isTrusted = false;

	/** A loss that was seen before the service's word counted. */
	private doubtful: Loss | undefined;

	note(now: number): void {
		this.lastAt = Math.max(this.lastAt ?? now, now);
	}

	/**
	 * Returns each loss once, or undefined when no loss is known. `sentAt` is when the service says that it last sent
	 * something, and `now` is n8n's time, both in milliseconds since 1970. `offsetMs` is how far the service's clock is
	 * ahead.
	 */
	lossAt(sentAt: number, now: number, offsetMs: number): Loss | undefined {
		// After n8n's clock was set, the time of the last call says nothing.
		const isClockSet = this.offsetMs !== undefined && Math.abs(offsetMs - this.offsetMs) > CLOCK_STEP_MS;
		this.offsetMs = offsetMs;
		if (isClockSet) this.lastAt = this.doubtful = undefined;
		// If no call came, another process may receive them. A delivery may still be on its way, or be sent again.
		if (this.lastAt === undefined || now + offsetMs - sentAt < DELIVERED_MS) return undefined;
		if (sentAt === this.lastSentAt) return undefined;
		const callAt = this.lastAt + offsetMs;
		this.lastSentAt = sentAt;
		if (sentAt > callAt + SENT_TOLERANCE_MS) {
			const loss = { after: this.doubtful?.after ?? callAt, until: sentAt };
			this.doubtful = this.isTrusted ? undefined : loss;
			return this.isTrusted ? loss : undefined;
		}
		if (sentAt < callAt - SENT_TOLERANCE_MS) return undefined;
		this.isTrusted = true;
		const { doubtful } = this;
		this.doubtful = undefined;
		return doubtful;
	}
}
