// Plain JavaScript without dependencies, as install.mjs. Each check throws an error whose message is one sentence.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const GIB = 1024 ** 3;

const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ECONNRESET|network/i;

export function assertNode() {
	const [major] = process.versions.node.split('.');
	if (Number(major) >= 20) return;
	throw new Error(`Node.js 20 or newer is needed, and this is ${process.versions.node}: install it from nodejs.org.`);
}

export function assertWritable(folder) {
	try {
		accessSync(folder, constants.W_OK);
	} catch {
		throw new Error(`You may not write into ${folder}: clone the project into a folder of your own.`);
	}
}

function assertSpace(folder, gibibytes) {
	const { bavail, bsize } = statfsSync(folder);
	const free = (bavail * bsize) / GIB;
	if (free >= gibibytes) return;
	throw new Error(`${gibibytes} GB of free disk are needed in ${folder}, and there are ${free.toFixed(1)}: make room.`);
}

/** Asks with npm itself, which knows proxies and the registry. */
export function assertRegistry() {
	if (process.env.npm_config_offline === 'true') return;
	// Not `npm view`, which answers from npm's cache. Under `npm run --silent`, npm would not say why it failed.
	const args = ['ping', '--fetch-retries=0', '--fetch-timeout=10000', '--loglevel=error'];
	const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
	if (status === 0 || !OFFLINE.test(stderr)) return;
	throw new Error('The first start needs the internet, to install what it uses, and npm could not reach its registry.');
}

const runs = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

/** Of what a first start of n8n needs on this machine. */
export function assertReadyForN8n() {
	assertSpace(process.cwd(), 4);
	if (/\s/.test(process.cwd()))
		throw new Error(
			`n8n's SQLite has to be compiled, which fails in a folder with a blank in its path: move this project (${process.cwd()}).`,
		);
	const missing = ['python3', 'make', 'c++'].filter((command) => !runs(command));
	if (missing.length > 0)
		throw new Error(
			`n8n's SQLite has to be compiled, and ${missing.join(', ')} can't be found: install a C++ compiler, make and Python.`,
		);
}

/** Whether n8n was started here before. */
export function hasN8n() {
	const versions = join('test', 'support', 'n8n', 'versions');
	const sqlite = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	return readdirSync(versions).some((version) => existsSync(join(versions, version, sqlite)));
}
