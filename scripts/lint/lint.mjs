// n8n's own strict lint over the whole project, with the unmodified default configuration, and one format for all code.
// `npm run lint -- --fix` mends what can be mended.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { gateFolder, prepareGate } from './prepare.mjs';

const CODE = ['credentials', 'nodes', 'scripts', 'test', '*.js'].map((place) =>
	place.includes('*') ? place : `${place}/**/*.{ts,mts,mjs,cjs,js}`,
);

await prepareGate();
const modules = join(gateFolder, 'node_modules');
const fix = process.argv.includes('--fix');

/** Runs one of the gate's tools; tells whether it found nothing. */
function passes(script, args) {
	const env = { ...process.env, PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}` };
	return spawnSync(process.execPath, [join(modules, script), ...args], { stdio: 'inherit', env }).status === 0;
}

const isClean = passes('@n8n/node-cli/bin/n8n-node.mjs', ['lint', ...(fix ? ['--fix'] : [])]);
const isFormatted = passes('prettier/bin/prettier.cjs', ['--log-level', 'warn', fix ? '--write' : '--check', ...CODE]);
process.exit(isClean && isFormatted ? 0 : 1);
