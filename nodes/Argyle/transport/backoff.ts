/** The upper bound of the first delay. This bound doubles with each retry. */
const BASE_DELAY_MS = 500;

const MAX_DELAY_MS = 8_000;

/** Spreads out calls that were given the same `Retry-After`. */
const RETRY_AFTER_JITTER_MS = 500;

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns how many milliseconds to wait according to a `Retry-After` header, which holds seconds or an HTTP date (RFC
 * 9110, 10.2.3). Returns undefined when the header is absent or can't be read. `now` is in milliseconds since 1970.
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
 * Returns the milliseconds before the next retry: what the service asks for, or else exponential back-off with full
 * jitter. `retries` counts from 0, `random` is from 0 to 1.
 */
export function backoffDelay(retries: number, retryAfterMs: number | undefined, random: number): number {
	// `Retry-After: 0` counts as none. Otherwise each call would ask four times a second while the service is away.
	if (retryAfterMs !== undefined && retryAfterMs > 0) return retryAfterMs + Math.round(random * RETRY_AFTER_JITTER_MS);
	return Math.round(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** retries));
}
