import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled, runQuietly } from '../../../scripts/install.mjs';
import { givenCommand, givenUrl, n8nFolder } from './selectedVersion.mts';
import { prepareUserFolders } from './userFolder.mts';

const packFolder = join(process.cwd(), '.work', 'pack');

let preparation;

/**
 * Installs n8n, once for each of its lock files, then builds and packs this package. The `globalSetup` of the suites
 * that start a real n8n, of which several may run together; benches and the demo call it too.
 */
export default async function prepareN8n() {
	preparation ??= prepare();
	await preparation;
}

async function prepare() {
	if (givenCommand.length === 0 && givenUrl === undefined) {
		await ensureInstalled(n8nFolder, 'n8n', 'about three minutes and 2 GB');
		await ensureSqlite();
	}
	const output = { stdio: ['ignore', 'ignore', 'inherit'] };
	execFileSync('npm', ['run', '--silent', 'build'], output);
	mkdirSync(packFolder, { recursive: true });
	execFileSync('npm', ['pack', '--silent', '--pack-destination', packFolder], output);
	if (givenUrl === undefined) await prepareUserFolders();
}

/** npm installs n8n without running the scripts of its dependencies, of which only SQLite's is needed. */
async function ensureSqlite() {
	if (existsSync(join(n8nFolder, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node'))) return;
	console.log('Compiling the SQLite module of n8n (once, about a minute and a half) …');
	const headers = nodeHeadersFolder();
	const seconds = await runQuietly('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd: n8nFolder,
		what: 'compiling SQLite',
		env: headers === undefined ? {} : { npm_config_nodedir: headers },
	});
	console.log(`Compiled SQLite in ${seconds} s`);
}

/**
 * The folder that holds the C headers of the Node that runs this; undefined where node-gyp has to download them. The
 * npm package `node` keeps them in the package of its platform.
 */
function nodeHeadersFolder() {
	const own = dirname(dirname(process.execPath));
	const platform = `node-${process.platform}-${process.arch}`;
	const folders = [own, join(own, 'node_modules', platform), join(dirname(own), platform)];
	return folders.find((folder) => existsSync(join(folder, 'include', 'node', 'node.h')));
}
