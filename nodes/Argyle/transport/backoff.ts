/** The longest wait before the first repeat; it doubles with each one. */
const BASE_DELAY_MS = 500;

const MAX_DELAY_MS = 8_000;

/** Added to what `Retry-After` says, at random, so that calls told the same time don't come back all at once. */
const RETRY_AFTER_JITTER_MS = 500;

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Takes the value of a `Retry-After` header and the time (milliseconds since 1970); gives the milliseconds to wait,
 * undefined when the header says nothing readable. Both forms are read: seconds, and an HTTP date (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
	if (!HTTP_DATE.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Takes how many repeats there were, what the service asked for (milliseconds, undefined for nothing) and a random
 * number from 0 to 1; gives the milliseconds to wait before the next repeat: as the service says, else exponential
 * with full jitter.
 */
export function backoffDelay(repeats: number, retryAfterMs: number | undefined, random: number): number {
	if (retryAfterMs !== undefined) return retryAfterMs + Math.round(random * RETRY_AFTER_JITTER_MS);
	return Math.round(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** repeats));
}
