import { type Excuse, GIVEN_UP, TOLD } from './givenUp.mts';
import { describe } from './history.mts';
import { type Figures, judge, type PromiseName, type Violation } from './promises.mts';
import { type Counterexample, shrink } from './shrink.mts';
import type { Setting } from './variety.mts';
import { World } from './world.mts';

/** So many worlds are run again to find a shorter history. */
const MAX_SHRINKING_RUNS = 150;

type Draw = (seed: number) => Setting;

/** What many worlds came to. */
export interface Report {
	seeds: number[];
	draw: Draw;
	figures: Figures;
	/** The worlds that broke each promise. */
	broken: Map<PromiseName, Array<{ seed: number; violation: Violation }>>;
	/** How often each excuse was needed. */
	excused: Map<Excuse, number>;
	seconds: number;
}

export async function runWorlds(seeds: number[], draw: Draw): Promise<Report> {
	const begin = performance.now();
	const figures: Figures = { forms: 0, events: 0, wanted: 0, executions: 0, empty: 0 };
	const broken: Report['broken'] = new Map();
	const excused: Report['excused'] = new Map();
	for (const seed of seeds) {
		const world = new World(seed, draw(seed));
		await world.run();
		const judged = judge(world);
		for (const name of ['forms', 'events', 'wanted', 'executions', 'empty'] as const)
			figures[name] += judged.figures[name];
		for (const violation of judged.violations) {
			const worlds = broken.get(violation.promise) ?? [];
			if (worlds.at(-1)?.seed !== seed) broken.set(violation.promise, [...worlds, { seed, violation }]);
		}
		for (const { excuse } of judged.excused)
			if (excuse !== undefined) excused.set(excuse, (excused.get(excuse) ?? 0) + 1);
	}
	return { seeds, draw, figures, broken, excused, seconds: (performance.now() - begin) / 1_000 };
}

const brokenIn = ({ broken }: Report, promise: PromiseName) => broken.get(promise)?.length ?? 0;

/** How many worlds broke something. */
export const brokenWorlds = ({ broken }: Report): number =>
	new Set([...broken.values()].flatMap((worlds) => worlds.map(({ seed }) => seed))).size;

/** So many promises were broken in so many years. */
export function rateOf(report: Report, yearsOfAWorld: number): string {
	const promises: PromiseName[] = ['lost', 'twice', 'unasked', 'false alarm'];
	const counts = promises.map((promise) => `${brokenIn(report, promise)} ${promise}`);
	return `${counts.join(', ')} in ${(report.seeds.length * yearsOfAWorld).toFixed(1)} workflow-years`;
}

/** How many worlds and executions there were, which promises were broken, what was told, and what is given up. */
export function summaryOf(name: string, { seeds, figures, broken, excused, seconds }: Report): string {
	const { forms, events, wanted, executions, empty } = figures;
	const faults = [...broken].map(([promise, worlds]) => `${promise}: ${worlds.length}`);
	const listed = (title: string, sentences: Record<string, string>) =>
		[...excused]
			.filter(([excuse]) => excuse in sentences)
			.map(([excuse, count]) => `    ${title} ${count}: ${sentences[excuse]}`);
	return [
		`${name}, ${seeds.length} worlds (the last with seed ${seeds.at(-1)}) in ${seconds.toFixed(1)} s: ${forms} forms and ${events} other events, ${wanted} wanted, ${executions} executions, ${empty} of them empty; broken ${faults.join(', ') || 'nothing'}`,
		...listed('told', TOLD),
		...listed('given up', GIVEN_UP),
	].join('\n');
}

function story({ seed, mode, violation, history }: Counterexample): string {
	const lines = history.map((step) => `    ${describe(step)}`);
	return [`${violation.promise} (seed ${seed}, ${mode}): ${violation.what}`, ...lines].join('\n');
}

/** For each promise that was broken, the shortest history of its first world. '' when none was. */
export async function stories({ draw, broken }: Report, maxRuns = MAX_SHRINKING_RUNS): Promise<string> {
	const told: string[] = [];
	for (const [promise, [first, ...others]] of broken) {
		told.push(story(await shrink(first.seed, draw(first.seed), first.violation, maxRuns)));
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
