import { clock } from '../../nodes/Argyle/utils/clock';

const realNow = Date.now.bind(Date);

let skipped = 0;

/** Sets the clock forward by some milliseconds, while `fastTime` is on. */
export function advance(ms: number): void {
	skipped += ms;
}

/**
 * Lets the node's waiting pass at once, with the clock set forward by as much. Gives the waits in milliseconds, in
 * their order. The clock is the real one unless another is given. `jest.restoreAllMocks()` ends it.
 */
export function useFakeTime(now: () => number = realNow): number[] {
	const waits: number[] = [];
	skipped = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + skipped);
	jest.spyOn(clock, 'pause').mockImplementation(async (ms) => {
		waits.push(ms);
		skipped += ms;
	});
	return waits;
}
