import { drawLife, YEARS_OF_A_WORLD } from './life.mts';
import { rateOf, runWorlds, stories, summaryOf } from './report.mts';
import { lifeSeeds } from './seeds.mts';

it('what happens to a workflow in some years breaks no promise of what published means', async () => {
	const report = await runWorlds(lifeSeeds(), drawLife);
	process.stdout.write(`${summaryOf('life', report)}\n    ${rateOf(report, YEARS_OF_A_WORLD)}\n`);
	expect(await stories(report)).toBe('');
}, 36_000_000);
