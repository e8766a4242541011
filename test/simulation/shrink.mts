import type { Step } from './history.mts';
import { judge, type PromiseName, type Violation } from './promises.mts';
import { type Mode, World } from './world.mts';

/** A world that broke a promise, with the shortest history that was found to break it, too. */
export interface Counterexample {
	seed: number;
	mode: Mode;
	violation: Violation;
	history: Step[];
}

async function violationOf(seed: number, mode: Mode, promise: PromiseName, history: Step[]) {
	const world = new World(seed, mode, history);
	await world.run();
	return judge(world).violations.find((violation) => violation.promise === promise);
}

/** Leaves out steps, first many at a time, as long as the promise is still broken. Runs at most so many worlds. */
export async function shrink(
	seed: number,
	mode: Mode,
	first: Violation,
	whole: Step[],
	maxRuns: number,
): Promise<Counterexample> {
	let [history, violation] = [whole, first];
	let runs = 0;
	for (let size = Math.ceil(history.length / 2); size >= 1; size = Math.floor(size / 2)) {
		for (let place = 0; place < history.length && runs < maxRuns; ) {
			const shorter = history.filter((_, index) => index < place || index >= place + size);
			runs++;
			const broken = await violationOf(seed, mode, first.promise, shorter);
			if (broken === undefined) place += size;
			else [history, violation] = [shorter, broken];
		}
	}
	return { seed, mode, violation, history };
}
