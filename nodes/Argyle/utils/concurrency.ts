import { beforeDeadline } from './clock';
import { EventLoopTurn } from './eventLoop';

/** Counting semaphore, first come, first served. */
export class Semaphore {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(slots: number) {
		this.free = slots;
	}

	/** Runs `work` as soon as a slot is free. The slot is freed when `work` has settled, or earlier by `release`. */
	async run<T>(work: (release: () => void) => Promise<T>): Promise<T> {
		const release = await this.acquire();
		return await work(release).finally(release);
	}

	/** As `run`, but `work` keeps others waiting for `ms` milliseconds at most. */
	async runBriefly<T>(ms: number, work: () => Promise<T>): Promise<T> {
		return await this.run(async (release) => {
			const going = work();
			void beforeDeadline(Date.now() + ms, going).then(release, release);
			return await going;
		});
	}

	/**
	 * Waits for a slot. Resolves with the function that frees the slot again; calling this function twice does no harm.
	 */
	async acquire(): Promise<() => void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		let isHeld = true;
		return () => {
			if (!isHeld) return;
			isHeld = false;
			const next = this.waiting.shift();
			if (next === undefined) this.free++;
			else next();
		};
	}
}

/** Runs work with the same key one after the other, first come, first served. */
export class KeyedMutex {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const turn = (this.last.get(key) ?? Promise.resolve()).then(work, work);
		this.last.set(key, turn);
		return await turn.finally(() => {
			if (this.last.get(key) === turn) this.last.delete(key);
		});
	}
}

interface ConcurrentRun {
	count: number;
	concurrency: number;
	signal: AbortSignal | undefined;
}

export interface Work {
	signal: AbortSignal;
	/**
	 * The work calls this as soon as it only waits, so that other work may begin. When the work has settled, that happens
	 * by itself.
	 */
	onWaiting: () => void;
}

/** How many pieces of work may run that have not called `onWaiting` yet. More of them would only delay each other. */
const MAX_PREPARING = 10;

/**
 * Performs work for the indices 0 to `count` - 1, as p-map does, and resolves with the results in the order of the
 * indices. At most `concurrency` pieces of work run at a time, and at most ten that have not called `onWaiting` yet.
 * The first failure, or an abort of `signal`, aborts the signals of the running work, and no more work begins. Once all
 * running work has settled, this rejects with the first failure, or with the reason of `signal`.
 */
export async function mapConcurrently<T>(
	{ count, concurrency, signal }: ConcurrentRun,
	perform: (index: number, work: Work) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const failures: unknown[] = [];
	const failed = new AbortController();
	const signals = signal === undefined ? [failed.signal] : [failed.signal, signal];
	const preparing = new Semaphore(MAX_PREPARING);
	const turn = new EventLoopTurn();
	let next = 0;

	async function runUntilDone(): Promise<void> {
		while (next < count) {
			await preparing.run(async (onWaiting) => {
				// Work that fails before its first request would otherwise not wait at all.
				await turn.breathe();
				if (signals.some(({ aborted }) => aborted)) next = count;
				if (next === count) return;
				const index = next++;
				try {
					// Each piece of work has a signal of its own, because Node warns when too many listen to one signal.
					results[index] = await perform(index, { signal: AbortSignal.any(signals), onWaiting });
				} catch (failure) {
					failures.push(failure);
					failed.abort();
				}
			});
		}
	}

	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, runUntilDone));
	if (failures.length > 0) throw failures[0];
	signal?.throwIfAborted();
	return results;
}
