import { runWorlds, stories, summaryOf } from './report.mts';
import { seedsFor } from './seeds.mts';

it('half days of main, webhook processes and workers, each with a clock of its own, break no promise of what published means', async () => {
	const report = await runWorlds(seedsFor('queue'), 'queue');
	process.stdout.write(`${summaryOf(report)}\n`);
	expect(await stories(report)).toBe('');
}, 36_000_000);
