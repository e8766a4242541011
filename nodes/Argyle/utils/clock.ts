import { sleep } from 'n8n-workflow';

/** The only place in which this package waits, an object so that tests can let time pass at once. */
export const clock = {
	/**
	 * Resolves after `ms` milliseconds, or as soon as the signal aborts; never rejects. n8n's sleep, because n8n's lint
	 * forbids timers in nodes.
	 */
	pause: async (ms: number, signal?: AbortSignal): Promise<void> => {
		await sleep(ms, signal).catch(() => undefined);
	},
};
