import { isWithin } from '../../utils/clock';
import {
	CALL_AFTER_SENDING_MS,
	CLOCK_STEP_MS,
	DELIVERED_MS,
	ELSEWHERE_MS,
	SCAN_HINT_MS,
	SENT_TOLERANCE_MS,
	STILL_MS,
	STOPPED_MS,
} from './timing';

/** A period in which Argyle sent something that n8n did not receive, in milliseconds since 1970 by Argyle's clock. */
export interface Loss {
	/** When n8n took its last call, or last saw that nothing was lost. */
	after: number;
	/** When Argyle last sent something. */
	until: number;
}

const isNear = (sentAt: number, callAt: number) => Math.abs(sentAt - callAt) <= SENT_TOLERANCE_MS;

const mayBeCallOf = (sentAt: number, callAt: number) =>
	isNear(sentAt, callAt) && callAt - sentAt <= CALL_AFTER_SENDING_MS;

/**
 * Finds out whether a call to one trigger was lost. Argyle says when it last sent something (`sentAt`). If n8n took its
 * last call before that, a call was lost. `sentAt` is trusted only after it has moved with a call that came here, and
 * has then stayed the same while nothing came. Each reported loss ends this trust. So if `sentAt` means nothing after
 * all, there is no series of false alarms.
 */
export class ReceivedCalls {
	/** When n8n last took a call, in milliseconds since 1970, by n8n's clock. */
	private lastCallAt: number | undefined;

	/**
	 * When the first look was, by n8n's clock. It is used as the time of the last call until a call comes, unless
	 * `stoppedAt` is set.
	 */
	private firstLookAt: number | undefined;

	/**
	 * When n8n last ran before it was stopped, by n8n's clock. It is used as the time of the last call until a call
	 * comes. Set only if static data says that something was sent while n8n was stopped.
	 */
	private stoppedAt: number | undefined;

	/** When Argyle last sent something, as it said at the last look. Static data keeps it over a restart of n8n. */
	sentAt: number | undefined;

	/** When n8n was last known to run, by Argyle's clock. Static data keeps it over a restart of n8n. */
	runningAt: number | undefined;

	/** The last `sentAt` that was at least two minutes old, and when a look first saw it so old, by n8n's clock. */
	private said = { sentAt: NaN, since: NaN };

	/** How far Argyle's clock was ahead of n8n's at the last look. */
	private offsetMs: number | undefined;

	private isTrusted = false;

	/**
	 * Set if a look saw a `sentAt` of the last two minutes. `isTaken` says whether n8n has taken a call that Argyle may
	 * have sent at this time. If not, a call that was sent after `after` was lost. Times are by Argyle's clock.
	 */
	private recent: { sentAt: number; after: number; isTaken: boolean } | undefined;

	/** When the last look was, by Argyle's clock. That look could not see what was sent later. */
	private lookedAt = -Infinity;

	/** A loss that is not reported yet. */
	private unreported: Loss | undefined;

	/** Whether a call may have been missed since the last hint of `takeHint`, and when that hint was, by n8n's clock. */
	private mayMiss = false;
	private hintedAt: number | undefined;

	/**
	 * When another process of n8n last answered a call to the own URL, by n8n's clock. That process takes deliveries, too.
	 */
	private elsewhereAt: number | undefined;

	/** The end of the last loss that was reported. */
	private reportedUntil = -Infinity;

	note(now: number): void {
		this.lastCallAt = Math.max(this.lastCallAt ?? now, now);
		const { recent } = this;
		if (recent !== undefined) recent.isTaken ||= mayBeCallOf(recent.sentAt, now + (this.offsetMs ?? 0));
	}

	/** Notes that n8n runs at `now`, so that what was sent before counts as sent to a running n8n. */
	noteRunning(now: number, offsetMs = this.offsetMs): void {
		if (offsetMs === undefined) return;
		this.noteOffset(offsetMs);
		this.runningAt = now + offsetMs;
	}

	/** Argyle has sent nothing yet. What it sends from now on can be lost. */
	noteNothingSent(now: number): void {
		this.firstLookAt ??= now;
	}

	/** Another process has answered a call to the own URL, so this one does not know all calls. */
	noteElsewhere(now: number): void {
		this.elsewhereAt = now;
		this.isTrusted = false;
		this.unreported = undefined;
	}

	/** Notes that other nodes set static data back, so that static data does not tell when n8n was stopped. */
	noteSetBack(): void {
		if (this.stoppedAt !== undefined) this.unreported = undefined;
		this.stoppedAt = undefined;
	}

	/**
	 * Returns each loss once, or undefined when no loss is known. `sentAt` is when Argyle says that it last sent
	 * something, and `now` is n8n's time, both in milliseconds since 1970. `offsetMs` is how far Argyle's clock is ahead
	 * of n8n's.
	 */
	lossAt(sentAt: number, now: number, offsetMs: number): Loss | undefined {
		this.noteOffset(offsetMs);
		this.sentAt = sentAt;
		// If something was sent more than STOPPED_MS after the last look, n8n was stopped then.
		const { runningAt = Infinity } = this;
		if (this.firstLookAt === undefined)
			this.stoppedAt = sentAt > runningAt + STOPPED_MS ? runningAt - offsetMs : undefined;
		this.firstLookAt ??= now;
		const callAt = (this.lastCallAt ?? this.stoppedAt ?? this.firstLookAt) + offsetMs;
		this.checkRecent(sentAt);
		// Argyle's times may be off by SENT_TOLERANCE_MS.
		const seenAt = Math.min(sentAt, this.lookedAt - SENT_TOLERANCE_MS);
		const after = this.recent?.after ?? Math.max(callAt, seenAt);
		this.lookedAt = now + offsetMs;
		// The delivery may still be on its way, or be sent again. It is noted, because `sentAt` may move on before the next
		// look.
		if (now + offsetMs - sentAt < DELIVERED_MS) {
			this.recent ??= { sentAt, after, isTaken: sentAt <= callAt || isNear(sentAt, callAt) };
			return undefined;
		}
		this.recent = undefined;
		const hasMoved = sentAt !== this.said.sentAt;
		if (hasMoved) this.said = { sentAt, since: now };
		if (this.isElsewhere(now)) return undefined;
		// Without any call, the trust does not begin, because another process may receive the calls.
		if (isNear(sentAt, callAt))
			this.isTrusted ||= this.lastCallAt !== undefined && !isWithin(STILL_MS, this.said.since, now);
		else if (sentAt > callAt && hasMoved) this.noteLoss(after, sentAt);
		return this.isTrusted ? this.report() : undefined;
	}

	/** After n8n's clock was set, the time of the last call says nothing. */
	private noteOffset(offsetMs: number): void {
		const isClockSet = this.offsetMs !== undefined && Math.abs(offsetMs - this.offsetMs) > CLOCK_STEP_MS;
		this.offsetMs = offsetMs;
		if (!isClockSet) return;
		this.lastCallAt = this.firstLookAt = this.unreported = this.recent = undefined;
		this.said = { sentAt: NaN, since: NaN };
	}

	/** An earlier delivery that did not come is lost, even if a later one came. */
	private checkRecent(sentAt: number): void {
		const { recent } = this;
		if (recent === undefined || recent.sentAt === sentAt) return;
		this.recent = undefined;
		if (!recent.isTaken) this.noteLoss(recent.after, recent.sentAt);
	}

	/** Whether a call may have been missed, even if `sentAt` is not trusted. Returns true at most once in half an hour. */
	takeHint(now: number): boolean {
		const isSoon = this.hintedAt !== undefined && isWithin(SCAN_HINT_MS, this.hintedAt, now);
		if (!this.mayMiss || isSoon || this.isElsewhere(now)) return false;
		this.mayMiss = false;
		this.hintedAt = now;
		return true;
	}

	private isElsewhere(now: number): boolean {
		return this.elsewhereAt !== undefined && isWithin(ELSEWHERE_MS, this.elsewhereAt, now);
	}

	private noteLoss(after: number, until: number): void {
		this.mayMiss = true;
		this.unreported = { after: this.unreported?.after ?? Math.max(after, this.reportedUntil), until };
	}

	private report(): Loss | undefined {
		const { unreported } = this;
		if (unreported === undefined) return undefined;
		this.isTrusted = false;
		this.unreported = this.stoppedAt = undefined;
		this.reportedUntil = unreported.until;
		return unreported;
	}
}
