import { runWorlds, stories, summaryOf } from './report.mts';
import { chosenSeeds } from './seeds.mts';

it('half days of an n8n in one process, each with what can go wrong, break no promise of what published means', async () => {
	const report = await runWorlds(chosenSeeds(), 'one process');
	process.stdout.write(`${summaryOf(report)}\n`);
	expect(await stories(report)).toBe('');
}, 36_000_000);
