/**
 * Runs `work` for 0 to `count` - 1, `atOnce` of them at a time; gives the results in that order. With the first failure, or
 * when `stop` tells so, nothing more is started, and what is under way is told by its signal; when that has ended
 * too, it rejects with the first failure.
 */
export async function mapConcurrently<T>(
	{ count, atOnce, stop }: { count: number; atOnce: number; stop: AbortSignal | undefined },
	work: (index: number, signal: AbortSignal) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const failures: unknown[] = [];
	const failed = new AbortController();
	const stops = stop === undefined ? [failed.signal] : [failed.signal, stop];
	let next = 0;

	async function runUntilDone(): Promise<void> {
		while (next < count && !stops.some(({ aborted }) => aborted)) {
			const index = next++;
			try {
				// A signal for each, because Node warns of one to which many listen.
				results[index] = await work(index, AbortSignal.any(stops));
			} catch (failure) {
				failures.push(failure);
				failed.abort();
			}
		}
	}

	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, runUntilDone));
	if (failures.length > 0) throw failures[0];
	stop?.throwIfAborted();
	return results;
}
