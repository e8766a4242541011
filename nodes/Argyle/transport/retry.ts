import { clock } from '../utils/clock';
import { MAX_HOLD_MS } from './adaptiveRate';
import { backoffDelay } from './backoff';
import { ArgyleError, type ErrorDetails } from './errors';
import { outages } from './outageTracker';

/** How long transient failures are retried. */
export interface RetryPolicy {
	/** The key and the origin. All calls with the same key and origin share an outage. */
	service: string;
	/** How long to try again. The time counts from the first failure, but if that is a 429, from the first try. */
	maxElapsedMs: number;
	/** How long to try again if no connection can be made, at most `maxElapsedMs`. */
	maxUnreachableMs: number;
	/** Ends the waiting between two tries. */
	signal: AbortSignal | undefined;
}

export interface Try {
	/** Whether an earlier try may have been carried out. */
	outcomeUnknown: boolean;
	/** How long the try may wait before it is sent. */
	maxWaitMs: number;
	/** The try must call this when it has a slot. The wait for the first slot does not count as time of trying. */
	onSlot: () => void;
}

/** Every try may wait for its turn at least this long, even the last one. */
const LEAST_WAIT_MS = 1_000;

/** If a 429 asks for too long a wait, the rate limiter decides when the next request starts. */
function retryAfterOf({ statusCode, retryAfterMs }: ErrorDetails): number | undefined {
	return statusCode === 429 && Number(retryAfterMs) > MAX_HOLD_MS ? undefined : retryAfterMs;
}

/**
 * Retries transient ArgyleErrors, after `Retry-After` or with exponential back-off and full jitter, until the policy's
 * time is over. Once an earlier attempt may have been carried out, only idempotent work is retried. Throws the last
 * ArgyleError, with the number of tries if it gives up after several; passes other errors through.
 */
export async function retry<T>(
	policy: RetryPolicy,
	attempt: (attempt: Try) => Promise<T>,
	isIdempotent = true,
): Promise<T> {
	const { service, maxElapsedMs, maxUnreachableMs, signal } = policy;
	let startedAt = Date.now();
	const isAborted = () => signal?.aborted ?? false;
	let deadline = Infinity;
	let maxWaitMs = maxElapsedMs;
	let outcomeUnknown = false;
	let before: ArgyleError | undefined;
	/** Lets the error also say that an earlier try may have been carried out, whatever became of the last try. */
	const withOutcome = (error: ArgyleError) =>
		outcomeUnknown ? new ArgyleError(error.message, error.description, { ...error.details, outcomeUnknown }) : error;
	for (let tries = 1; ; tries++) {
		const onSlot = () => {
			if (tries === 1) startedAt = Date.now();
		};
		// This uses no `try`, because n8n's lint (require-node-api-error) forbids to throw again what was caught.
		const [outcome] = await Promise.allSettled([attempt({ outcomeUnknown, maxWaitMs, onSlot })]);
		if (outcome.status === 'fulfilled') return outcome.value;
		const error: unknown = outcome.reason;
		if (!(error instanceof ArgyleError)) throw error;
		const { details } = error;
		const now = Date.now();
		if (details.isUnsent && before !== undefined) throw withOutcome(before.givenUp(tries - 1, now - startedAt));
		if (!details.isTransient || details.isGivenUp) throw withOutcome(error);
		before = error;
		// After a 429, the time that the request waited for its turn counts too.
		if (deadline === Infinity) deadline = (details.statusCode === 429 ? startedAt : now) + maxElapsedMs;
		outcomeUnknown ||= details.outcomeUnknown === true;
		if (!isIdempotent && details.outcomeUnknown) throw error.withRetrySummary(tries, now - startedAt);
		const budgetMs = details.isUnreachable ? maxUnreachableMs : maxElapsedMs;
		const left = Math.min(deadline - now, outages.remaining(service, now, budgetMs));
		const retryAfterMs = retryAfterOf(details);
		const comesTooLate = retryAfterMs !== undefined && retryAfterMs > left;
		if (left <= 0 || comesTooLate || tries >= (details.maxTries ?? Infinity) || isAborted())
			throw withOutcome(error.givenUp(tries, now - startedAt));
		const delay = Math.min(left, backoffDelay(tries - 1, retryAfterMs, Math.random()));
		await clock.pause(delay, signal);
		if (isAborted()) throw withOutcome(error.givenUp(tries, Date.now() - startedAt));
		maxWaitMs = Math.max(LEAST_WAIT_MS, left - delay);
	}
}
