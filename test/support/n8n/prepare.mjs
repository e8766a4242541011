import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installN8n } from '../../../scripts/installN8n.mjs';
import { givenCommand, givenUrl, n8nFolder } from './selectedVersion.mts';
import { prepareUserFolders } from './userFolder.mts';

const packFolder = join(process.cwd(), '.work', 'pack');

let preparation;

/**
 * Installs n8n, once for each of its lock files, then builds and packs this package. The `globalSetup` of the suites
 * that start a real n8n, of which several may run together; benches and the demo call it too.
 */
export default async function prepareN8n() {
	// `.ci/run` prepares once for all that it runs.
	if (process.env.N8N_IS_PREPARED === 'true') return;
	preparation ??= prepare();
	await preparation;
}

async function prepare() {
	if (givenCommand.length === 0 && givenUrl === undefined) await installN8n(n8nFolder);
	const output = { stdio: ['ignore', 'ignore', 'inherit'] };
	execFileSync('npm', ['run', '--silent', 'build'], output);
	mkdirSync(packFolder, { recursive: true });
	execFileSync('npm', ['pack', '--silent', '--pack-destination', packFolder], output);
	if (givenUrl === undefined) await prepareUserFolders();
}
