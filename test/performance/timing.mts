import { median } from '../support/statistics.mts';

/** Does the measured work some times; gives the nanoseconds that one of them took. */
export type Sample = () => Promise<number>;

/** The middle of what each group took, in nanoseconds. */
export type Medians = Map<string, number>;

/**
 * Takes groups and how many rounds to measure; gives each group's median. Every round measures each group once, and
 * begins with another one, so that what the machine does meanwhile hits all of them alike. The first tenth warms up.
 */
export async function measure(groups: ReadonlyMap<string, Sample>, rounds: number): Promise<Medians> {
	const names = [...groups.keys()];
	const taken = new Map<string, number[]>(names.map((name) => [name, []]));
	const warmUp = Math.ceil(rounds / 10);
	for (let round = -warmUp; round < rounds; round++) {
		const first = (round + warmUp) % names.length;
		for (const name of [...names.slice(first), ...names.slice(0, first)]) {
			const nanoseconds = await groups.get(name)?.();
			if (nanoseconds !== undefined && round >= 0) taken.get(name)?.push(nanoseconds);
		}
	}
	return new Map([...taken].map(([name, values]) => [name, median(values)]));
}

/** Takes medians, the group that the others are held against, and a second one just like it; gives a table in words. */
export function table(title: string, medians: Medians, base: string, again: string): string {
	const of = (name: string) => medians.get(name) ?? NaN;
	const ratio = (name: string) => (of(name) / of(base)).toFixed(4);
	const rows = [...medians].map(
		([name, value]) => `  ${name.padEnd(28)}${value.toFixed(0).padStart(10)} ns${ratio(name).padStart(10)}`,
	);
	const noise = Math.abs(of(again) / of(base) - 1) * 100;
	return [
		title,
		...rows,
		`  Noise: two identical groups ("${base}", "${again}") differ by ${noise.toFixed(2)} %.`,
		'',
		'',
	].join('\n');
}
