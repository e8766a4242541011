import type { RetryPolicy } from './retry';

/**
 * The time-out of each try: long enough for a slow response, and short enough that a hanging one does not block an
 * execution.
 */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** A minute is longer than a restart at Argyle takes. A longer time would only hide an outage. */
const DEFAULT_MAX_ELAPSED_MS = 60_000;

/**
 * With this limit, a person who waits in the editor learns within 15 s that no connection can be made. The last DNS
 * lookup may take the other 5 s.
 */
const INTERACTIVE_MAX_UNREACHABLE_MS = 10_000;

export interface TimeLimits {
	/** For each try. @default 30 s */
	timeoutMs?: number;
	/** How long a request waits for its turn, and is retried while the service is away or too busy. @default 60 s */
	maxElapsedMs?: number;
	/**
	 * Whether a person waits in the editor, who should soon learn that no connection can be made. @default in a manual
	 * execution
	 */
	isInteractive?: boolean;
}

export function retryPolicyOf(limits: TimeLimits, service: string, signal: AbortSignal | undefined): RetryPolicy {
	const { maxElapsedMs = DEFAULT_MAX_ELAPSED_MS } = limits;
	const maxUnreachableMs = limits.isInteractive ? Math.min(INTERACTIVE_MAX_UNREACHABLE_MS, maxElapsedMs) : maxElapsedMs;
	return { service, maxElapsedMs, maxUnreachableMs, signal };
}
