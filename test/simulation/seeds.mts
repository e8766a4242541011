import { FIRST_WITH_OVERLOADS, FIRST_WITH_QUIRKS, FIRST_WITH_SECOND, FIRST_WITH_TWO_MAINS } from './quirks.mts';
import { FIRST_WITH_OTHERS, type Mode } from './variety.mts';

/** In CI; with `SIMULATION_WORLDS=5000` so many of each kind. */
const WORLDS = Number(process.env.SIMULATION_WORLDS ?? 40);

/** The same in each run, until no world breaks a promise any more; `SIMULATION_SEED=fresh` draws new ones. */
const { SIMULATION_SEED } = process.env;
const seedFrom = (text: string) => (text === 'fresh' ? Math.floor(Date.now() / 1_000) % 1_000_000_000 : Number(text));
const FIRST_SEEDS =
	SIMULATION_SEED === undefined
		? [20_000, FIRST_WITH_OTHERS, FIRST_WITH_QUIRKS, FIRST_WITH_OVERLOADS, FIRST_WITH_TWO_MAINS, FIRST_WITH_SECOND]
		: [seedFrom(SIMULATION_SEED)];

/** Each once broke a promise. */
const EVER_FAILED: Record<Mode, number[]> = {
	'one process': [
		3, 5, 10, 13, 16, 26, 28, 45, 55, 70, 75, 88, 92, 100, 106, 166, 1006, 1063, 1108, 1180, 1192, 1261, 3038, 3063,
		4013, 4014, 4031, 4044, 5067, 5068, 5126, 6175, 20035, 30030, 30058, 30097, 31068, 31180, 50003, 700419, 700537,
		700595, 701100, 701168, 701233, 701296, 2000055, 2000276, 2001420, 3001020, 3400599, 5000636, 5001592, 5003693,
		5004523, 5010032, 5010083, 5010183, 5010322, 5010471, 5010542, 5010687, 5010920, 5010948, 5011155, 5011264, 6010322,
		6010358, 6010429, 6010440, 6010674, 6010898, 7010054, 7010095, 7010115, 7010291, 8010054, 11002775, 11012329,
		12200579, 12200787, 12250031, 12281987, 12290869, 12291729, 12293494, 12310769, 12312120, 12314769, 12412181,
		12422915, 12424646, 15010320, 15010491, 15030755, 15050249, 15050969, 17110319, 17310295, 25001739, 35011185,
		35011818, 35311428, 795494292, 796010150, 796010211, 796010264, 796010293, 796010541, 798030107, 798050407,
	],
	queue: [
		1, 3, 1001, 1006, 1010, 2098, 2125, 2132, 3011, 3101, 6013, 800101, 800200, 800295, 800308, 800528, 2200642,
		2200802, 2201221, 2201309, 3200484, 8030000, 15220241, 15220896, 31003, 50421,
	],
};

/** `SIMULATION_ONLY=26` runs one world. */
const ONLY = process.env.SIMULATION_ONLY;

/**
 * Unless a seed was chosen, as many of each kind: forms alone, other events, a harder Argyle, an overloaded n8n, two
 * main processes in queue mode, a second workflow.
 */
const seedsFrom = (first: number) =>
	Array.from({ length: Math.ceil(WORLDS / FIRST_SEEDS.length) }, (_, index) => first + index);

export const chosenSeeds = (): number[] =>
	ONLY !== undefined ? ONLY.split(' ').map(Number) : FIRST_SEEDS.flatMap(seedsFrom);

export const everFailed = (mode: Mode): number[] => (ONLY === undefined ? EVER_FAILED[mode] : []);

/** Worlds of life, from the first or a chosen seed on. */
export function lifeSeeds(): number[] {
	if (ONLY !== undefined) return ONLY.split(' ').map(Number);
	const first = SIMULATION_SEED === undefined ? 1 : seedFrom(SIMULATION_SEED);
	return Array.from({ length: WORLDS }, (_, index) => first + index);
}
