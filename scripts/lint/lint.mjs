// `npm run lint`: n8n's strict lint with its default configuration, Prettier's format, and no comment or line of
// Markdown over 120 characters. `npm run lint:fix` corrects what can be corrected.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLongLines } from './lineLength.mjs';
import { lintFolder, prepareLintTools } from './prepare.mjs';

const CODE = [
	...['credentials', 'nodes', 'scripts', 'test'].map((folder) => `${folder}/**/*.{ts,mts,mjs,cjs,js}`),
	'*.js',
];
const TEMPLATE = '@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs';

await prepareLintTools();
const modules = join(lintFolder, 'node_modules');
const fix = process.argv.includes('--fix');
const failures = [];

/** Runs one of the installed tools, which prints what it finds. */
function run(name, script, args) {
	const { status } = spawnSync(process.execPath, [join(modules, script), ...args], { stdio: 'inherit' });
	if (status !== 0) failures.push(`${name} found something`);
}

// What `n8n-node lint` does in strict mode, which has no way to leave out `.work`: an n8n that runs keeps hundreds of
// minified files there, which take ESLint minutes.
if (readFileSync('eslint.config.mjs', 'utf8').trim() !== readFileSync(join(modules, TEMPLATE), 'utf8').trim())
	failures.push("eslint.config.mjs is not n8n's default");
run('ESLint', 'eslint/bin/eslint.js', ['.', '--ignore-pattern', '.work/', ...(fix ? ['--fix'] : [])]);
run('Prettier', 'prettier/bin/prettier.cjs', ['--log-level', 'warn', fix ? '--write' : '--check', ...CODE]);
const longLines = findLongLines();
if (longLines.length > 0) failures.push(`Over 120 characters:\n${longLines.join('\n')}`);

for (const failure of failures) console.error(failure);
if (failures.length === 0) console.log('Lint has found nothing.');
process.exitCode = failures.length === 0 ? 0 : 1;
