import { runWorlds, stories, summaryOf } from './report.mts';
import { everFailed } from './seeds.mts';

it('half days of an n8n in one process that once broke a promise break none', async () => {
	const report = await runWorlds(everFailed('one process'), 'one process');
	process.stdout.write(`${summaryOf(report)}\n`);
	expect(await stories(report)).toBe('');
}, 36_000_000);
