// Makes ready what every suite with a real n8n needs: n8n itself, installed once per lock file, and the packed package.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled, runQuietly } from '../../../scripts/install.mjs';
import { n8nFolder } from './selectedVersion.mts';

const root = process.cwd();
const sqlite = join(n8nFolder, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
const packFolder = join(root, '.work', 'pack');

/**
 * Gives the folder that holds the C headers of the Node that runs this; undefined lets node-gyp fetch them. The npm
 * package `node` keeps them in the package of its platform.
 */
function headersFolder() {
	const own = dirname(dirname(process.execPath));
	const platform = `node-${process.platform}-${process.arch}`;
	const places = [own, join(own, 'node_modules', platform), join(dirname(own), platform)];
	return places.find((place) => existsSync(join(place, 'include', 'node', 'node.h')));
}

await ensureInstalled(n8nFolder, 'n8n', 'about three minutes and 2 GB');
if (!existsSync(sqlite)) {
	console.log('Compiling the SQLite module of n8n (once, about a minute and a half) …');
	const headers = headersFolder();
	const env = headers === undefined ? {} : { npm_config_nodedir: headers };
	const seconds = await runQuietly('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd: n8nFolder,
		what: 'compiling SQLite',
		env,
	});
	console.log(`Compiled SQLite in ${seconds} s`);
}
execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
mkdirSync(packFolder, { recursive: true });
execFileSync('npm', ['pack', '--silent', '--pack-destination', packFolder], { stdio: ['ignore', 'ignore', 'inherit'] });
console.log('Built and packed n8n-nodes-argyle');
