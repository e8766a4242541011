import { sleep } from 'n8n-workflow';

export const DAY_MS = 86_400_000;

/**
 * Makes all waits of this package, and tells how long the process has run. It is an object, so that tests can replace
 * its members and let time pass.
 */
export const clock = {
	/**
	 * Resolves after `ms` milliseconds, or as soon as the signal aborts; never rejects. It uses n8n's `sleep`, because
	 * n8n's lint forbids timers in nodes. Before n8n 2.39, `sleep` takes no signal.
	 */
	pause: async (ms: number, signal?: AbortSignal): Promise<void> => {
		if (signal?.aborted === true) return;
		let end = () => {};
		const aborted = new Promise<void>((resolve) => (end = resolve));
		signal?.addEventListener('abort', end);
		await Promise.race([sleep(ms, signal), aborted]).catch(() => undefined);
		signal?.removeEventListener('abort', end);
	},
	/** Resolves when n8n has gone once through its event loop. A test that skips waits does not skip this. */
	turn: async (): Promise<void> => await sleep(0),
	/** In milliseconds. */
	uptime: (): number => performance.now(),
	/**
	 * A random offset for what this process does at intervals, so that processes that started together do not act at the
	 * same time.
	 */
	phaseMs: Math.random() * 3_600_000,
};

/**
 * The clock that measures the pace of streams. It is apart from `clock`, because a test that skips the waits of retries
 * would otherwise make a stream seem slow.
 */
export const paceClock = { pause: clock.pause };

/** The reason of an abort that only ends a wait or a request. An abort without a reason makes an error with a stack. */
export const NOT_NEEDED = 'not needed any more';

/**
 * Whether less than `ms` milliseconds have passed from `since` to `now`. Returns false if the clock was set back in
 * between. Otherwise it would return true for too long.
 */
export const isWithin = (ms: number, since: number, now: number): boolean => now >= since && now - since < ms;

/**
 * Resolves with the result of `work`, or with undefined at the deadline (in milliseconds since 1970). Rejects if `work`
 * fails before the deadline. After the deadline, `work` goes on by itself.
 */
export async function beforeDeadline<T>(deadline: number, work: Promise<T>): Promise<T | undefined> {
	const isOver = new AbortController();
	const timeOut = clock.pause(Math.max(0, deadline - Date.now()), isOver.signal).then(() => undefined);
	return await Promise.race([work, timeOut]).finally(() => isOver.abort(NOT_NEEDED));
}
