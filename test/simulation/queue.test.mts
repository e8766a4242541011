import { brokenWorlds, runWorlds, stories, summaryOf } from './report.mts';
import { chosenSeeds, everFailed } from './seeds.mts';
import { drawTrouble } from './trouble.mts';

it('half days of main, webhook processes and workers, each with a clock of its own, break no promise in silence', async () => {
	const seeds = [...everFailed('queue'), ...chosenSeeds()];
	const report = await runWorlds(seeds, (seed) => drawTrouble(seed, 'queue'));
	process.stdout.write(`${summaryOf('trouble, queue', report)}\n`);
	if (brokenWorlds(report) > report.seeds.length / 1_000) expect(await stories(report)).toBe('');
}, 36_000_000);
