import type { Assumed } from './assumed.mts';
import type { Subscription } from './types.mts';

interface Write {
	value: string;
	/** Milliseconds since 1970, by this machine's clock. */
	shownAt: number;
}

interface SendingTimes {
	at: number;
	/** By how much Argyle's is ahead. */
	clockOffsetMs: number;
	/** How long Argyle takes for a minute. */
	minuteMs: number;
}

const LATE_MINUTES = 4;

const writes = new WeakMap<Subscription, Write[]>();

/** Something was sent to the subscription, and answered with a success or not. */
export function noteSending(
	subscription: Subscription,
	isTaken: boolean,
	{ at, clockOffsetMs, minuteMs }: SendingTimes,
	assumed: Assumed,
): void {
	subscription.last_sent_at = subscription.updated_at = new Date(at + clockOffsetMs).toISOString();
	const earlier = writes.get(subscription) ?? [];
	writes.set(subscription, earlier);
	if (assumed.lastSentAtMoves === 'no' || (!isTaken && assumed.lastSentAtOfFailures === 'no')) return;
	const lateMs = assumed.timeOfLastSent === 'that of the sending' ? 0 : minuteMs;
	// A whole second by chance would look like the other side of `precisionOfLastSent`.
	const time = new Date(at + clockOffsetMs + lateMs).toISOString().replace('.000Z', '.001Z');
	const value = assumed.precisionOfLastSent === 'whole seconds' ? time.replace(/\.\d+/, '') : time;
	// In all recorded replies the record was written a minute after the sending that it names.
	const minutes = assumed.lastSentAtIsShown === 'within two minutes' ? 1 : LATE_MINUTES;
	earlier.push({ value, shownAt: at + minutes * minuteMs });
}

/** What the service shows now. A subscription that a test has stored with a time shows that until something is sent. */
export function shownLastSent(subscription: Subscription, assumed: Assumed): string | null {
	const now = Date.now();
	if (assumed.lastSentAtStays === 'no') return new Date(now).toISOString();
	const known = writes.get(subscription);
	if (known !== undefined) return known.findLast(({ shownAt }) => shownAt <= now)?.value ?? null;
	return subscription.last_sent_at;
}
