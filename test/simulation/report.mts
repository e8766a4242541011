import { describe } from './history.mts';
import { type Figures, judge, type PromiseName, type Violation } from './promises.mts';
import { type Counterexample, shrink } from './shrink.mts';
import { type Mode, World } from './world.mts';

/** So many worlds are run again to find a shorter history. */
const MAX_SHRINKING_RUNS = 150;

/** What many worlds came to. */
export interface Report {
	mode: Mode;
	seeds: number[];
	figures: Figures;
	/** The worlds that broke each promise. */
	broken: Map<PromiseName, Array<{ seed: number; violation: Violation }>>;
	seconds: number;
}

export async function runWorlds(seeds: number[], mode: Mode): Promise<Report> {
	const begin = performance.now();
	const figures: Figures = { forms: 0, events: 0, wanted: 0, executions: 0, empty: 0 };
	const broken: Report['broken'] = new Map();
	for (const seed of seeds) {
		const world = new World(seed, mode);
		await world.run();
		const judged = judge(world);
		for (const name of ['forms', 'events', 'wanted', 'executions', 'empty'] as const)
			figures[name] += judged.figures[name];
		for (const violation of judged.violations) {
			const worlds = broken.get(violation.promise) ?? [];
			if (worlds.at(-1)?.seed !== seed) broken.set(violation.promise, [...worlds, { seed, violation }]);
		}
	}
	return { mode, seeds, figures, broken, seconds: (performance.now() - begin) / 1_000 };
}

/** One line: how many worlds, forms, executions, and which promises were broken in how many worlds. */
export function summaryOf({ mode, seeds, figures, broken, seconds }: Report): string {
	const { forms, events, wanted, executions, empty } = figures;
	const faults = [...broken].map(([promise, worlds]) => `${promise}: ${worlds.length}`);
	return `${mode}, ${seeds.length} worlds (the last with seed ${seeds.at(-1)}) in ${seconds.toFixed(1)} s: ${forms} forms and ${events} other events, ${wanted} wanted, ${executions} executions, ${empty} of them empty; broken ${faults.join(', ') || 'nothing'}`;
}

function story({ seed, mode, violation, history }: Counterexample): string {
	const lines = history.map((step) => `    ${describe(step)}`);
	return [`${violation.promise} (seed ${seed}, ${mode}): ${violation.what}`, ...lines].join('\n');
}

/** For each promise that was broken, the shortest history of its first world. '' when none was. */
export async function stories({ mode, broken }: Report, maxRuns = MAX_SHRINKING_RUNS): Promise<string> {
	const told: string[] = [];
	for (const [promise, [first, ...others]] of broken) {
		const { history } = new World(first.seed, mode);
		told.push(story(await shrink(first.seed, mode, first.violation, history, maxRuns)));
		if (others.length > 0)
			told.push(
				`    also ${promise}: seeds ${others
					.map(({ seed }) => seed)
					.slice(0, 20)
					.join(' ')}`,
			);
	}
	return told.join('\n');
}
