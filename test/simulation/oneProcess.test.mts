import { brokenWorlds, runWorlds, stories, summaryOf } from './report.mts';
import { chosenSeeds } from './seeds.mts';
import { drawTrouble } from './trouble.mts';

it('half days of an n8n in one process, each with what can go wrong, break no promise in silence', async () => {
	const report = await runWorlds(chosenSeeds(), (seed) => drawTrouble(seed, 'one process'));
	process.stdout.write(`${summaryOf('trouble, one process', report)}\n`);
	if (brokenWorlds(report) > report.seeds.length / 1_000) expect(await stories(report)).toBe('');
}, 36_000_000);
