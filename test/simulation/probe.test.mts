import { runWorlds, summaryOf, stories } from './report.mts';
import type { Mode } from './world.mts';
it('runs', async () => {
	const [from = 1, to = 5] = (process.env.SEEDS ?? '1 5').split(' ').map(Number);
	const mode: Mode = process.env.MODE === 'queue' ? 'queue' : 'one process';
	const report = await runWorlds(Array.from({ length: to - from + 1 }, (_, i) => from + i), mode);
	process.stdout.write(summaryOf(report) + '\n');
	if (process.env.STORIES) process.stdout.write((await stories(report, Number(process.env.STORIES))) + '\n');
}, 1000_000);
