/** Upper bound of the first delay; it doubles with each retry. */
const BASE_DELAY_MS = 500;

const MAX_DELAY_MS = 8_000;

/** Spreads out calls that were given the same `Retry-After`. */
const RETRY_AFTER_JITTER_MS = 500;

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds until the time that a `Retry-After` header names, as seconds or as an HTTP date (RFC 9110, 10.2.3);
 * undefined when it is absent or unreadable. `now` is in milliseconds since 1970.
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
 * Milliseconds before the next retry: what the service asks for, else exponential back-off with full jitter. `retries`
 * counts from 0, `random` is from 0 to 1.
 */
export function backoffDelay(retries: number, retryAfterMs: number | undefined, random: number): number {
	// With `Retry-After: 0`, each call would otherwise ask a service that is away four times a second.
	if (retryAfterMs !== undefined && retryAfterMs > 0) return retryAfterMs + Math.round(random * RETRY_AFTER_JITTER_MS);
	return Math.round(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** retries));
}
