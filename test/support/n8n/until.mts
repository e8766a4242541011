import { setTimeout as wait } from 'node:timers/promises';

const EVERY_MS = 100;

/**
 * Asks again and again until `look` gives something other than undefined, and gives that. Rejects when the deadline
 * (milliseconds) passes; what `look` throws ends it at once.
 */
export async function until<T>(what: string, deadlineMs: number, look: () => Promise<T | undefined>): Promise<T> {
	const end = Date.now() + deadlineMs;
	for (;;) {
		const seen = await look();
		if (seen !== undefined) return seen;
		if (Date.now() > end) throw new Error(`Not within ${deadlineMs / 1_000} s: ${what}`);
		await wait(EVERY_MS);
	}
}
