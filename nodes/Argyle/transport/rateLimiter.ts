import { clock } from '../utils/clock';
import { LruMap } from '../utils/lruMap';
import { AdaptiveRate } from './adaptiveRate';
import { ArgyleError } from './errors';

interface Waiting {
	/** 0 skips the queue; the request is counted all the same. */
	maxWaitMs: number;
	signal: AbortSignal | undefined;
}

/** Queue of requests, first come, first served, that start at an adaptive rate. */
export class RateLimiter {
	private readonly rate: AdaptiveRate;

	private last: Promise<unknown> = Promise.resolve();

	constructor(perSecond: number) {
		this.rate = new AdaptiveRate(perSecond);
	}

	/** Runs `send` when its turn has come. A 429 that it throws lowers the rate, and holds the queue for `Retry-After`. */
	async run<T>(waiting: Waiting, send: () => Promise<T>): Promise<T> {
		const startedAt = await this.acquire(waiting);
		return await send().catch((error: unknown) => {
			if (error instanceof ArgyleError && error.statusCode === 429) {
				this.rate.onThrottled(startedAt, Date.now(), error.retryAfterMs);
			}
			throw error;
		});
	}

	private async acquire(waiting: Waiting): Promise<number> {
		if (waiting.maxWaitMs <= 0) return this.start();
		const turn = this.last.then(async () => {
			await this.waitForRate(waiting);
			return this.start();
		});
		this.last = turn;
		return await turn;
	}

	private start(): number {
		const now = Date.now();
		this.rate.recordStart(now);
		return now;
	}

	private async waitForRate({ maxWaitMs, signal }: Waiting): Promise<void> {
		const deadline = Date.now() + maxWaitMs;
		for (;;) {
			const now = Date.now();
			const delay = Math.min(this.rate.delay(now), deadline - now);
			if (delay <= 0 || signal?.aborted === true) return;
			await clock.pause(delay, signal);
		}
	}
}

const MAX_RATE_LIMITERS = 1_000;

const rateLimiters = new LruMap<RateLimiter>(MAX_RATE_LIMITERS);

/**
 * The process-wide rate limiter of an account, whichever workflow its requests come from. A rate of its own has a
 * limiter of its own.
 */
export function rateLimiterFor(account: string, perSecond: number): RateLimiter {
	const key = `${perSecond} ${account}`;
	const existing = rateLimiters.get(key);
	if (existing !== undefined) return existing;
	const created = new RateLimiter(perSecond);
	rateLimiters.set(key, created);
	return created;
}
