import { runWorlds, stories, summaryOf } from './report.mts';
import { chosenSeeds, everFailed } from './seeds.mts';

it('half days of main, webhook processes and workers, each with a clock of its own, break no promise of what published means', async () => {
	const report = await runWorlds([...everFailed('queue'), ...chosenSeeds()], 'queue');
	process.stdout.write(`${summaryOf(report)}\n`);
	expect(await stories(report)).toBe('');
}, 36_000_000);
