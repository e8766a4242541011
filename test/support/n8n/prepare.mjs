import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installN8n } from '../../../scripts/installN8n.mjs';
import { givenCommand, givenUrl, n8nFolder } from './selectedVersion.mts';
import { prepareUserFolders } from './userFolder.mts';

const packFolder = join(process.cwd(), '.work', 'pack');

/** `.ci/run` prepares once for all that it runs. */
const isPrepared = process.env.N8N_IS_PREPARED === 'true';

let preparation;

/**
 * Installs n8n, once for each of its lock files, then builds and packs this package. The `globalSetup` of the suites
 * that start a real n8n, of which several may run together; benches call it too.
 */
export default async function prepareN8n() {
	if (isPrepared) return;
	preparation ??= prepare();
	await preparation;
}

async function prepare() {
	await preparePackage();
	if (givenUrl === undefined) await prepareUserFolders();
}

/** As `prepareN8n`, for what starts n8n with a folder of its own. Calls `onInstalled` before it builds. */
export async function preparePackage(onInstalled = () => {}) {
	if (isPrepared) return;
	if (givenCommand.length === 0 && givenUrl === undefined) await installN8n(n8nFolder);
	onInstalled();
	const output = { stdio: ['ignore', 'ignore', 'inherit'] };
	execFileSync('npm', ['run', '--silent', 'build'], output);
	mkdirSync(packFolder, { recursive: true });
	execFileSync('npm', ['pack', '--silent', '--pack-destination', packFolder], output);
}
