import { clock } from '../utils/clock';
import { backoffDelay } from './backoff';
import { ArgyleError } from './errors';
import { OutageTracker } from './outageTracker';

/** For how long transient failures are retried. */
export interface RetryPolicy {
	/** The service that is called: an outage is shared by all calls to it. */
	origin: string;
	maxElapsedMs: number;
	/** Ends the waiting between two tries. */
	signal: AbortSignal | undefined;
}

const outages = new OutageTracker();

/** Milliseconds that the current outage of the service leaves for retries; 0 when they are used up. */
export function remainingRetryBudget({ origin, maxElapsedMs }: RetryPolicy): number {
	return outages.remaining(origin, Date.now(), maxElapsedMs);
}

/**
 * Retries transient ArgyleErrors, after `Retry-After` or with exponential back-off and full jitter, until the policy's
 * time is over. An attempt learns whether an earlier one may have been carried out; then only idempotent work is
 * retried. Throws the last ArgyleError with the number of tries; passes other errors through.
 */
export async function retry<T>(
	policy: RetryPolicy,
	attempt: (outcomeUnknown: boolean) => Promise<T>,
	isIdempotent = true,
): Promise<T> {
	const startedAt = Date.now();
	const isAborted = () => policy.signal?.aborted ?? false;
	let outcomeUnknown = false;
	for (let tries = 1; ; tries++) {
		// Without try and catch, because n8n's lint (require-node-api-error) forbids to rethrow what was caught.
		const outcome: { result: T } | { error: unknown } = await attempt(outcomeUnknown).then(
			(result) => ({ result }),
			(error: unknown) => ({ error }),
		);
		if ('result' in outcome) {
			outages.recordSuccess(policy.origin);
			return outcome.result;
		}
		const error: unknown = outcome.error;
		if (!(error instanceof ArgyleError) || !error.isTransient) throw error;
		const now = Date.now();
		recordFailure(policy.origin, error, startedAt, now);
		outcomeUnknown ||= error.outcomeUnknown;
		const left = Math.min(startedAt + policy.maxElapsedMs - now, remainingRetryBudget(policy));
		const mayRetry = isIdempotent || !error.outcomeUnknown;
		const comesTooLate = error.retryAfterMs !== undefined && error.retryAfterMs > left;
		if (!mayRetry || left <= 0 || comesTooLate || isAborted()) {
			throw error.withRetrySummary(tries, now - startedAt);
		}
		await clock.pause(Math.min(left, backoffDelay(tries - 1, error.retryAfterMs, Math.random())), policy.signal);
		if (isAborted()) throw error.withRetrySummary(tries, Date.now() - startedAt);
	}
}

function recordFailure(origin: string, error: ArgyleError, askedAt: number, now: number): void {
	// A 429 is no outage: others get their answers.
	if (error.statusCode === 429) outages.recordSuccess(origin);
	else outages.recordFailure(origin, askedAt, now);
}
