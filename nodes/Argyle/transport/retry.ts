import { clock } from '../utils/clock';
import { ArgyleError } from './errors';
import { OutageTracker } from './outageTracker';
import { backoffDelay } from './backoff';

/** How long something is repeated. */
export interface RetryPolicy {
	/** The service that is asked. */
	origin: string;
	/** Milliseconds from the first failure on, in all. */
	maxElapsedMs: number;
	/** Ends the waiting at once. */
	signal: AbortSignal | undefined;
}

const outages = new OutageTracker();

const isStopped = ({ signal }: RetryPolicy): boolean => signal?.aborted ?? false;

/** Takes a patience; gives how many milliseconds of it the service's outage leaves: 0 when it was waited for in vain. */
export function remainingRetryBudget({ origin, maxElapsedMs: patienceMs }: RetryPolicy): number {
	return outages.remaining(origin, Date.now(), patienceMs);
}

/**
 * Takes something that may fail in a way that passes by itself; does it again until it succeeds, as the service says
 * or at growing random intervals, while the patience lasts. `mayRepeat` may forbid it for an error. What it throws
 * otherwise is thrown on at once. Throws the last ArgyleError, with the number of tries, when the patience ends.
 */
export async function retry<T>(
	patience: RetryPolicy,
	attempt: () => Promise<T>,
	mayRepeat: (error: ArgyleError) => boolean = () => true,
): Promise<T> {
	const startedAt = Date.now();
	for (let tries = 1; ; tries++) {
		const outcome = await attempt().then(
			(result) => ({ result }),
			(error: unknown) => ({ error }),
		);
		if ('result' in outcome) {
			outages.recordSuccess(patience.origin);
			return outcome.result;
		}
		const { error } = outcome;
		if (!(error instanceof ArgyleError) || !error.isTransient) throw error;
		const now = Date.now();
		// Too many requests is no outage: others get their answers.
		if (error.statusCode === 429) outages.recordSuccess(patience.origin);
		else outages.recordFailure(patience.origin, startedAt, now);
		const left = Math.min(startedAt + patience.maxElapsedMs - now, remainingRetryBudget(patience));
		const isTooLong = error.retryAfterMs !== undefined && error.retryAfterMs > left;
		if (!mayRepeat(error) || left <= 0 || isTooLong || isStopped(patience))
			throw error.withRetrySummary(tries, now - startedAt);
		const wait = Math.min(left, backoffDelay(tries - 1, error.retryAfterMs, Math.random()));
		await clock.pause(wait, patience.signal);
		if (isStopped(patience)) throw error.withRetrySummary(tries, Date.now() - startedAt);
	}
}
