import { runWorlds, stories, summaryOf } from './report.mts';
import { everFailed } from './seeds.mts';
import { drawTrouble } from './trouble.mts';

it('half days of an n8n in one process that once broke a promise break none', async () => {
	const report = await runWorlds(everFailed('one process'), (seed) => drawTrouble(seed, 'one process'));
	process.stdout.write(`${summaryOf('trouble that once broke a promise', report)}\n`);
	expect(await stories(report)).toBe('');
}, 36_000_000);
