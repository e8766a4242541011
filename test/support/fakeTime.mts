import { clock } from '../../nodes/Argyle/utils/clock';

const realNow = Date.now.bind(Date);

let skippedMs = 0;

/** Advances the fake time of `useFakeTime`. */
export function advance(ms: number): void {
	skippedMs += ms;
}

/** How far `advance` and the waits of the test have brought the fake time, in milliseconds. */
export const elapsed = (): number => skippedMs;

/**
 * Ends every wait of the node at once and advances the clock by as much, until `jest.restoreAllMocks()`. Returns the
 * waits in milliseconds; the list grows.
 */
export function useFakeTime(now: () => number = realNow): number[] {
	const waits: number[] = [];
	skippedMs = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + skippedMs);
	jest.spyOn(clock, 'pause').mockImplementation(async (ms) => {
		waits.push(ms);
		skippedMs += ms;
	});
	return waits;
}

/** Lets every request run into its time-out at once, as behind a firewall that drops packets. Needs `useFakeTime`. */
export function dropPackets(): void {
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		advance(ms);
		return AbortSignal.abort(new DOMException('no answer', 'TimeoutError'));
	});
}

/**
 * Holds the waits of the watch until the test goes on, and those of the start queue for good; skips all others.
 * Advances the clock by as much, unless an abort ends the wait, and stops it otherwise: how busy the machine is must
 * not decide what is too late. The test steps from look to look of the watch, whose waits are the only ones that
 * unpublishing ends.
 */
export class SteppedTime {
	private end: () => void = () => {};

	private onLookEnd: (ms: number) => void = () => {};

	constructor() {
		skippedMs = 0;
		const begin = realNow();
		jest.spyOn(Date, 'now').mockImplementation(() => begin + skippedMs);
		jest.spyOn(clock, 'pause').mockImplementation(async (ms, signal) => {
			if (signal === undefined && ms > 30_000) return await new Promise(() => {});
			if (signal?.aborted === false && ms >= 3_000) {
				await new Promise<void>((resolve) => {
					this.end = resolve;
					signal.addEventListener('abort', () => resolve());
					this.onLookEnd(ms);
				});
			}
			if (signal?.aborted !== true) skippedMs += ms;
		});
	}

	/** Ends the current wait if there is one, and resolves with the milliseconds until the next look. */
	async next(): Promise<number> {
		const next = new Promise<number>((resolve) => (this.onLookEnd = resolve));
		this.end();
		return await next;
	}
}
