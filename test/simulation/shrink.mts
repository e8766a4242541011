import type { Step } from './history.mts';
import { judge, type PromiseName, type Violation } from './promises.mts';
import type { Mode, Setting } from './variety.mts';
import { World } from './world.mts';

/** A world that broke a promise, with the shortest history that was found to break it, too. */
export interface Counterexample {
	seed: number;
	mode: Mode;
	violation: Violation;
	history: Step[];
}

async function violationOf(seed: number, setting: Setting, promise: PromiseName) {
	const world = new World(seed, setting);
	await world.run();
	return judge(world).violations.find((violation) => violation.promise === promise);
}

/** Leaves out steps, first many at a time, as long as the promise is still broken. Runs at most so many worlds. */
export async function shrink(
	seed: number,
	setting: Setting,
	first: Violation,
	maxRuns: number,
): Promise<Counterexample> {
	let [history, violation] = [setting.history, first];
	let runs = 0;
	for (let size = Math.ceil(history.length / 2); size >= 1; size = Math.floor(size / 2)) {
		for (let place = 0; place < history.length && runs < maxRuns; ) {
			const shorter = history.filter((_, index) => index < place || index >= place + size);
			runs++;
			const broken = await violationOf(seed, { ...setting, history: shorter }, first.promise);
			if (broken === undefined) place += size;
			else [history, violation] = [shorter, broken];
		}
	}
	return { seed, mode: setting.mode, violation, history };
}
