import { putNewest } from '../utils/lruMap';
import { AdaptiveRate } from './adaptiveRate';
import { clock } from '../utils/clock';

/** How long a request waits for its turn at the most, and what ends the waiting. */
export interface AcquireOptions {
	maxWaitMs: number;
	signal: AbortSignal | undefined;
}

/** Requests that wait for one another, so that the pace is kept. */
export class RateLimiter {
	private readonly pace: AdaptiveRate;

	private last: Promise<unknown> = Promise.resolve();

	constructor(perSecond: number) {
		this.pace = new AdaptiveRate(perSecond);
	}

	/**
	 * Comes back when the request may start, in the order of asking; gives the time, in milliseconds since 1970. A request
	 * that may not wait goes ahead.
	 */
	async acquire(options: AcquireOptions): Promise<number> {
		if (options.maxWaitMs <= 0) return this.start();
		const turn = this.last.then(async () => {
			await this.allowed(options);
			return this.start();
		});
		this.last = turn;
		return await turn;
	}

	/** Takes when a request started that was refused for too many, and how long the service asks to wait (milliseconds). */
	onThrottled(startedAt: number, retryAfterMs: number | undefined): void {
		this.pace.onThrottled(startedAt, Date.now(), retryAfterMs);
	}

	private start(): number {
		const now = Date.now();
		this.pace.recordStart(now);
		return now;
	}

	private async allowed({ maxWaitMs: mostMs, signal }: AcquireOptions): Promise<void> {
		const end = Date.now() + mostMs;
		for (;;) {
			const now = Date.now();
			const wait = Math.min(this.pace.delay(now), end - now);
			if (wait <= 0 || signal?.aborted === true) return;
			await clock.pause(wait, signal);
		}
	}
}

/** Lines that are kept; the oldest goes first. */
const MOST_LINES = 1_000;

const lines = new Map<string, RateLimiter>();

/**
 * Takes what an account is known by, and its rate; gives the one line of this process in which all its requests of that
 * rate wait, whichever workflow they come from.
 */
export function rateLimiterFor(account: string, perSecond: number): RateLimiter {
	const key = `${perSecond} ${account}`;
	const line = lines.get(key) ?? new RateLimiter(perSecond);
	putNewest(lines, key, line, MOST_LINES);
	return line;
}
