import { putNewest } from '../utils/lruMap';
import { Pace } from './adaptiveRate';
import { timing } from './retry';

/** How long a request waits for its turn at the most, and what ends the waiting. */
export interface TurnOptions {
	mostMs: number;
	signal: AbortSignal | undefined;
}

/** Requests that wait for one another, so that the pace is kept. */
export class Line {
	private readonly pace: Pace;

	private last: Promise<unknown> = Promise.resolve();

	constructor(perSecond: number) {
		this.pace = new Pace(perSecond);
	}

	/**
	 * Comes back when the request may start, in the order of asking; gives the time, in milliseconds since 1970. A request
	 * that may not wait goes ahead.
	 */
	async turn(options: TurnOptions): Promise<number> {
		if (options.mostMs <= 0) return this.start();
		const turn = this.last.then(async () => {
			await this.allowed(options);
			return this.start();
		});
		this.last = turn;
		return await turn;
	}

	/** Takes when a request started that was refused for too many, and how long the service asks to wait (milliseconds). */
	refused(startedAt: number, retryAfterMs: number | undefined): void {
		this.pace.refused(startedAt, Date.now(), retryAfterMs);
	}

	private start(): number {
		const now = Date.now();
		this.pace.started(now);
		return now;
	}

	private async allowed({ mostMs, signal }: TurnOptions): Promise<void> {
		const end = Date.now() + mostMs;
		for (;;) {
			const now = Date.now();
			const wait = Math.min(this.pace.wait(now), end - now);
			if (wait <= 0 || signal?.aborted === true) return;
			// n8n's sleep rejects when it is ended early; the signal tells that as well.
			await timing.pause(wait, signal).catch(() => undefined);
		}
	}
}

/** Lines that are kept; the oldest goes first. */
const MOST_LINES = 1_000;

const lines = new Map<string, Line>();

/**
 * Takes what an account is known by, and its rate; gives the one line of this process in which all its requests of that
 * rate wait, whichever workflow they come from.
 */
export function lineOf(account: string, perSecond: number): Line {
	const key = `${perSecond} ${account}`;
	const line = lines.get(key) ?? new Line(perSecond);
	putNewest(lines, key, line, MOST_LINES);
	return line;
}
