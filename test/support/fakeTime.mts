import { clock } from '../../nodes/Argyle/utils/clock';

const realNow = Date.now.bind(Date);

let skippedMs = 0;

/** Advances the fake time of `useFakeTime`. */
export function advance(ms: number): void {
	skippedMs += ms;
}

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
