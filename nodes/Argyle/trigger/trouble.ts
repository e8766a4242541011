import type { ArgyleError } from '../transport/errors';
import { isWithin } from '../utils/elapsed';

/** What still fails at the third look after the first failure, a quarter of an hour later, does not mend itself. */
const REPORT_AFTER_MS = 840_000;

const REPEAT_AFTER_MS = 86_400_000;

/** Decides when a failure that only a person can mend is reported. All times in milliseconds since 1970. */
export class Trouble {
	private since: number | undefined;

	private reportedAt: number | undefined;

	/** Whether to report it now: after a quarter of an hour, and again each day. */
	onFailure(error: ArgyleError, now: number): boolean {
		if (error.isTransient) return false;
		this.since = Math.min(this.since ?? now, now);
		const isDue = now - this.since >= REPORT_AFTER_MS;
		if (!isDue || (this.reportedAt !== undefined && isWithin(REPEAT_AFTER_MS, this.reportedAt, now))) return false;
		this.reportedAt = now;
		return true;
	}

	/** Returns whether something had been reported. */
	onSuccess(): boolean {
		const wasReported = this.reportedAt !== undefined;
		this.since = this.reportedAt = undefined;
		return wasReported;
	}
}
