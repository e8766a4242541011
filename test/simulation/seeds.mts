import type { Mode } from './world.mts';

/** In CI; with `SIMULATION_WORLDS=5000` so many of each kind. */
const WORLDS = Number(process.env.SIMULATION_WORLDS ?? 100);

/** Fresh worlds in each run, unless `SIMULATION_SEED` repeats those of another one, whose summary names it. */
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? Math.floor(Date.now() / 1_000) % 1_000_000_000);

/** Each once broke a promise. */
const EVER_FAILED: Record<Mode, number[]> = {
	'one process': [3, 5, 10, 26, 55, 92, 166, 1006],
	queue: [1, 3, 1001, 1006, 1010],
};

/** `SIMULATION_ONLY=26` runs one world. */
const ONLY = process.env.SIMULATION_ONLY;

export const seedsFor = (mode: Mode): number[] =>
	ONLY !== undefined
		? ONLY.split(' ').map(Number)
		: [...EVER_FAILED[mode], ...Array.from({ length: WORLDS }, (_, index) => FIRST_SEED + index)];
