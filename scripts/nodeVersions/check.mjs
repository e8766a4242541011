// `npm run check:load`: the built package, loaded under every Node.js that an n8n of version 2 runs on.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../install.mjs';

const folder = join(process.cwd(), 'scripts', 'nodeVersions');
await ensureInstalled(folder, 'Node.js 20, 22 and 24', 'about a minute');
execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });

const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
let passed = 0;
let failed = 0;
for (const name of Object.keys(dependencies)) {
	const node = join(folder, 'node_modules', name, 'bin', 'node');
	const { status, stdout, stderr } = spawnSync(node, [join(folder, 'load.cjs')], { encoding: 'utf8' });
	if (status === 0) passed++;
	else failed++;
	console.log(status === 0 ? `passed: ${stdout.trim()}` : `FAILED: ${name}\n${stderr}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
