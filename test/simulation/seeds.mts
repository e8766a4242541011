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

/** Each once broke a promise, by what is still there to break. */
const EVER_FAILED: Record<Mode, number[]> = {
	'one process': [
		// What a publish that failed had chosen, and kept from being caught up
		...[795494292, 15010320, 15010491, 15050249],
		// By which events an account is known
		...[8010054, 15030755],
		// Another credential, and Checking for Events in place of Webhook
		...[25001739, 35011185],
		// The second of a publish
		...[17310295, 35011818, 798030107],
		// What was lost while Catch Up was off
		...[35311428],
		// Clocks that are set, or behind that of the records
		...[12412181, 798050407],
		// A subscription that the list shows late, and deliveries that come again
		796010541,
		// Executions that wait for room
		...[796010150, 796010211, 796010264],
	],
	// What one worker undoes of another's; an overloaded n8n; by which events an account is known
	queue: [50421, 15220241, 15220896, 8030000],
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
