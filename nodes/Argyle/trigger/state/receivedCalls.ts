import { CLOCK_STEP_MS, DELIVERED_MS, SENT_TOLERANCE_MS } from './timing';

/** A time in which the service sent something that n8n did not receive, in milliseconds since 1970 by its clock. */
export interface Loss {
	/** When the last call came that n8n took. */
	after: number;
	/** When the service sent the last one. */
	until: number;
}

/**
 * When this process last took a call of one trigger, compared with when the service says that it last sent one: a later
 * sending got lost. What the service says has to earn its trust first, by following a call that came here.
 */
export class ReceivedCalls {
	/** In milliseconds since 1970, by n8n's clock. */
	private lastAt: number | undefined;

	/** What the service said at the last look. */
	private lastSentAt: number | undefined;

	/** By how much the service's clock was ahead at the last look. */
	private offsetMs: number | undefined;

	private isTrusted = false;

	/** A loss that was seen before there was trust. */
	private doubtful: Loss | undefined;

	note(now: number): void {
		this.lastAt = Math.max(this.lastAt ?? now, now);
	}

	/**
	 * Returns each loss once, undefined when nothing is known to be lost. `sentAt` is when the service says that it last
	 * sent, `now` what n8n's clock shows, both in milliseconds since 1970, and `offsetMs` by how much that of the service
	 * is ahead.
	 */
	lossAt(sentAt: number, now: number, offsetMs: number): Loss | undefined {
		// Since n8n's clock was set, the time of the last call says nothing.
		const isClockSet = this.offsetMs !== undefined && Math.abs(offsetMs - this.offsetMs) > CLOCK_STEP_MS;
		this.offsetMs = offsetMs;
		if (isClockSet) this.lastAt = this.doubtful = undefined;
		// Without a call another process may receive them. A delivery may still be on its way, and be sent again.
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
