import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled, FIRST_START, installWithBun, installWithNpm, runQuietly } from './install.mjs';

/** Installs what the lock file of a folder says, with a SQLite for this machine. */
export async function installN8n(n8nFolder) {
	const { n8n, sqlite, start } = FIRST_START;
	await ensureInstalled(n8nFolder, 'n8n', { usual: n8n, after: sqlite + start }, installQuickly);
	await ensureSqlite(n8nFolder, { usual: sqlite, after: start });
}

/**
 * For n8n's 1,800 packages, npm takes ten times as long as Bun. It does what Bun can't: it knows the proxy that its
 * configuration names, for example.
 */
const installQuickly = async (folder, what, time) =>
	await installWithBun(folder, what, time).catch(async (error) => {
		console.log(`${error.message}\nInstalling ${what} with npm …`);
		return await installWithNpm(folder, what, time);
	});

/**
 * n8n is installed without running the scripts of its dependencies, of which only SQLite's is needed. It would load a
 * ready one from GitHub that no lock file has a digest of.
 */
async function ensureSqlite(n8nFolder, time) {
	if (existsSync(join(n8nFolder, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node'))) return;
	console.log(`Compiling the SQLite module of n8n (once, about ${time.usual} s) …`);
	const headers = nodeHeadersFolder();
	const seconds = await runQuietly('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd: n8nFolder,
		what: 'compiling SQLite',
		time,
		env: {
			npm_config_build_from_source: 'true',
			// Its 9 MB of C take the compiler a third of the time that they take it with -O3.
			...{ CFLAGS: '-O1', CXXFLAGS: '-O1' },
			...(headers === undefined ? {} : { npm_config_nodedir: headers }),
		},
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

if (process.argv[1] === import.meta.filename) {
	const versions = join('test', 'support', 'n8n', 'versions');
	const byVersion = (one, other) => one.localeCompare(other, 'en', { numeric: true });
	await installN8n(join(process.cwd(), versions, readdirSync(versions).sort(byVersion).at(-1)));
}
