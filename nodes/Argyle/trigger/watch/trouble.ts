import type { ITriggerFunctions } from 'n8n-workflow';

import { toNodeError } from '../../shared/nodeError';
import { ArgyleError } from '../../transport/errors';
import { isWithin } from '../../utils/clock';
import { REPORT } from '../state/timing';

/**
 * Makes a failed execution, which also starts the person's error workflow. The first versions of n8n 2 can't make one.
 * There, only the log tells.
 */
export function reportFailure(
	context: ITriggerFunctions,
	message: string,
	{ description, details }: ArgyleError,
): void {
	if (!('saveFailedExecution' in context)) return;
	context.saveFailedExecution(toNodeError(context.getNode(), new ArgyleError(message, description, details)));
}

/** Decides when to report a failure that doesn't mend itself. All times are in milliseconds since 1970. */
export class Trouble {
	private since: number | undefined;

	private lastAt = -Infinity;

	private reportedAt: number | undefined;

	private readonly maxGapMs: number;

	/** Failures that are further apart than `maxGapMs` don't belong together: the computer may have slept in between. */
	constructor(maxGapMs = Infinity) {
		this.maxGapMs = maxGapMs;
	}

	/** Returns whether to report the failure now. */
	onFailure({ details }: ArgyleError, now: number): boolean {
		if (!isWithin(this.maxGapMs, this.lastAt, now)) this.since = undefined;
		this.lastAt = now;
		this.since = Math.min(this.since ?? now, now);
		const isDue = now - this.since >= (details.isTransient ? REPORT.transientAfterMs : REPORT.afterMs);
		if (!isDue || (this.reportedAt !== undefined && isWithin(REPORT.repeatMs, this.reportedAt, now))) return false;
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
