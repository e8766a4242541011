import { DAY_MS, isWithin } from '../../utils/clock';
import { CLOCK_STEP_MS, DELIVERED_MS, SENT_TOLERANCE_MS, STOPPED_MS } from './timing';

/** A period in which events may be lost, in milliseconds since 1970 by Argyle's clock. */
export interface Loss {
	/** Until when nothing was lost. Undefined if that is not known. */
	after?: number;
	until: number;
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= SENT_TOLERANCE_MS;

/**
 * Tells whether a call to the trigger was lost. Argyle says when it last sent something (`sentAt`). Only a process that
 * takes all calls can compare this with its own last call. Its own times are by n8n's clock.
 */
export class Witness {
	/** When this process last took a call, or first looked. Infinity if other processes take calls, too. */
	private calledAt = -Infinity;

	/** How far Argyle's clock was ahead of n8n's at the last look. */
	private offsetMs: number | undefined;

	/**
	 * Whether a call came here, and whether Argyle has named its time. Until then, `sentAt` may mean something else, or
	 * other processes take the calls.
	 */
	private trust: 'none' | 'called' | 'matched' = 'none';

	/**
	 * Since when each look finds that Argyle sent something after the last call, and after what, by Argyle's clock. That
	 * is the last call, or the last look that has found nothing, as far as it could see.
	 */
	private suspected: { at: number; after: number } | undefined;

	/** When a loss was last told. */
	private toldAt = -Infinity;

	onCall(now: number): void {
		this.calledAt = Math.max(this.calledAt, now);
		if (this.trust === 'none') this.trust = 'called';
	}

	/** Another process of n8n takes calls, too. */
	onCallElsewhere(): void {
		this.calledAt = Infinity;
	}

	/**
	 * Returns what was lost while n8n was stopped: something that was sent a whole look after the last one, `lookedAt`. A
	 * call that has come since is not lost.
	 */
	lossBefore(lookedAt: number, sentAt: number, offsetMs: number): Loss | undefined {
		const callAt = this.calledAt + offsetMs;
		const isLost = sentAt > lookedAt + STOPPED_MS && callAt !== Infinity && !isNear(sentAt, callAt);
		return isLost ? { after: lookedAt, until: sentAt } : undefined;
	}

	/**
	 * Called at each look; `lookedAt` is the one before, by Argyle's clock. Returns a loss once a day at most. `isNews`
	 * says whether something may have been missed, or whether calls come again after that, so that a scan is worthwhile.
	 */
	look(sentAt: number, now: number, offsetMs: number, lookedAt = -Infinity): { loss?: Loss; isNews: boolean } {
		this.checkClock(offsetMs);
		if (this.calledAt === -Infinity) this.calledAt = now;
		const callAt = this.calledAt + offsetMs;
		// A call that has just come matches a value that is always now.
		const isMatch = isNear(sentAt, callAt) && now + offsetMs - sentAt >= DELIVERED_MS;
		if (isMatch && this.trust === 'called') this.trust = 'matched';
		const before = this.suspected;
		// Argyle may show late what it has sent.
		const first = { at: now, after: Math.max(callAt, Math.min(sentAt, lookedAt - SENT_TOLERANCE_MS)) };
		this.suspected = sentAt > callAt + SENT_TOLERANCE_MS ? (before ?? first) : undefined;
		const isNews = (this.suspected === undefined) !== (before === undefined);
		// The call may still be on its way, or come again.
		const isSure = this.suspected === before && before !== undefined && !isWithin(DELIVERED_MS, before.at, now);
		if (!isSure || this.trust !== 'matched' || isWithin(DAY_MS, this.toldAt, now)) return { isNews };
		this.toldAt = now;
		return { isNews, loss: { after: before.after, until: sentAt } };
	}

	/** After n8n's clock was set, the time of the last call says nothing. */
	private checkClock(offsetMs: number): void {
		const isClockSet = this.offsetMs !== undefined && Math.abs(offsetMs - this.offsetMs) > CLOCK_STEP_MS;
		this.offsetMs = offsetMs;
		if (!isClockSet) return;
		if (this.calledAt !== Infinity) this.calledAt = -Infinity;
		this.trust = 'none';
		this.suspected = undefined;
	}
}
