import { setTimeout as wait } from 'node:timers/promises';

const LONGEST_INTERVAL_MS = 100;

/**
 * Polls, soon at first, until `look` returns something other than undefined, and returns that; throws at the deadline.
 */
export async function until<T>(what: string, deadlineMs: number, look: () => Promise<T | undefined>): Promise<T> {
	const end = Date.now() + deadlineMs;
	for (let interval = 1; ; interval = Math.min(2 * interval, LONGEST_INTERVAL_MS)) {
		const seen = await look();
		if (seen !== undefined) return seen;
		if (Date.now() > end) throw new Error(`Not within ${deadlineMs / 1_000} s: ${what}`);
		await wait(interval);
	}
}
