import { clock, NOT_NEEDED } from '../utils/clock';
import { LruMap } from '../utils/lruMap';
import { AdaptiveRate } from './adaptiveRate';
import { TOO_MANY_REQUESTS } from './errorMapper';
import { ArgyleError } from './errors';

interface Waiting {
	/** A request with 0 skips the queue, but counts towards the rate all the same. */
	maxWaitMs: number;
	signal: AbortSignal | undefined;
}

interface Waiter {
	/** In milliseconds since 1970. */
	deadline: number;
	start: () => void;
	giveUp: () => void;
}

const comesTooLate = () =>
	new ArgyleError(
		TOO_MANY_REQUESTS.message,
		`${TOO_MANY_REQUESTS.advice} This request was not sent, because its turn would have come too late.`,
		{ statusCode: 429, isTransient: true, isGivenUp: true, isUnsent: true },
	);

/**
 * A queue of requests that start at an adaptive rate. The request that can wait least goes first. Of equal ones, the
 * one that asked first does.
 */
export class RateLimiter {
	private readonly rate: AdaptiveRate;

	/** In the order of their deadlines. */
	private readonly queue: Waiter[] = [];

	private isServing = false;

	private pause = new AbortController();

	constructor(perSecond: number) {
		this.rate = new AdaptiveRate(perSecond);
	}

	/**
	 * Resolves with the time when the request's turn has come, in milliseconds since 1970. Throws ArgyleError when the
	 * request has become first in the queue, and its turn can't come within `maxWaitMs`.
	 */
	async turn({ maxWaitMs, signal }: Waiting): Promise<number> {
		// A request with an aborted signal fails as soon as it is sent, with the message for a stopped execution. So it needs
		// no turn.
		if (signal?.aborted === true) return Date.now();
		if (maxWaitMs <= 0) return this.start();
		const turn = new Promise<number>((resolve, reject) => {
			const leave = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				signal?.removeEventListener('abort', abort);
			};
			// As above, the request then fails by itself, so this does not reject.
			const abort = () => {
				leave();
				resolve(Date.now());
			};
			const waiter: Waiter = {
				deadline: Date.now() + maxWaitMs,
				start: () => {
					leave();
					resolve(this.start());
				},
				giveUp: () => {
					leave();
					reject(comesTooLate());
				},
			};
			signal?.addEventListener('abort', abort);
			const next = this.queue.findIndex(({ deadline }) => deadline > waiter.deadline);
			this.queue.splice(next === -1 ? this.queue.length : next, 0, waiter);
			if (this.queue[0] === waiter) this.pause.abort(NOT_NEEDED);
		});
		void this.serve();
		return await turn;
	}

	/**
	 * Learns from the failure of a request that `turn` let start: a 429 lowers the rate, and its `Retry-After` can hold
	 * the queue.
	 */
	watch(startedAt: number, sent: Promise<unknown>): void {
		const onFailure = (error: unknown) => {
			if (!(error instanceof ArgyleError) || error.details.statusCode !== 429) return;
			this.rate.onThrottled(startedAt, Date.now(), error.details.retryAfterMs);
			this.pause.abort(NOT_NEEDED);
		};
		void sent.catch(onFailure);
	}

	private start(): number {
		const startedAt = Date.now();
		this.rate.recordStart(startedAt);
		return startedAt;
	}

	/**
	 * Starts the requests of the queue. A pause ends early when a request comes that can wait less than all others, and
	 * after each 429.
	 */
	private async serve(): Promise<void> {
		if (this.isServing) return;
		this.isServing = true;
		for (let [next] = this.queue; next !== undefined; [next] = this.queue) {
			const now = Date.now();
			const delay = this.rate.delay(now);
			if (now + delay > next.deadline) next.giveUp();
			else if (delay === 0) next.start();
			else {
				this.pause = new AbortController();
				await clock.pause(delay, this.pause.signal);
			}
		}
		this.isServing = false;
	}
}

const rateLimiters = new LruMap<RateLimiter>();

/**
 * Returns the rate limiter of an API key, secret and rate. All workflows of the process share it. A key with a wrong
 * secret gets a limiter of its own, so it uses up nobody else's rate.
 */
export function rateLimiterFor(credentialDigest: string, perSecond: number): RateLimiter {
	return rateLimiters.getOrAdd(`${perSecond} ${credentialDigest}`, () => new RateLimiter(perSecond));
}
