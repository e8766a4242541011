import type { ArgyleError } from '../transport/errors';

/** What lasts this long does not mend itself. */
const REPORT_AFTER_MS = 900_000;

const REPEAT_AFTER_MS = 86_400_000;

/** Decides when a failure that only a person can mend is reported. All times in milliseconds since 1970. */
export class Trouble {
	private since: number | undefined;

	private reportedAt: number | undefined;

	/** Whether to report it now: after a quarter of an hour, and again each day. */
	onFailure(error: ArgyleError, now: number): boolean {
		if (error.isTransient) return false;
		this.since ??= now;
		const isDue = now - this.since >= REPORT_AFTER_MS;
		if (!isDue || (this.reportedAt !== undefined && now - this.reportedAt < REPEAT_AFTER_MS)) return false;
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
