import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './install.mjs';

/** Returns whether a program can be started by this name. */
export function isThere(program) {
	try {
		execFileSync('which', [program], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

/** Returns a function that runs apt-get as root. Where that can't be, it says what to do and ends this process. */
function aptFor(packages, who, cwd) {
	const isRoot = process.getuid?.() === 0;
	if (!isThere('apt-get') || (!isRoot && !isThere('sudo'))) {
		console.error(`${who} needs ${packages.join(' and ')}. Install them, then start this again.`);
		process.exit(1);
	}
	console.log(`Installing ${packages.join(' and ')} from Debian's packages (once, about half a minute) …`);
	return async (...args) =>
		await runQuietly(isRoot ? 'apt-get' : 'sudo', [...(isRoot ? [] : ['apt-get']), ...args], {
			cwd,
			what: `installing ${packages.join(' and ')}`,
			time: { usual: 30 },
			env: { DEBIAN_FRONTEND: 'noninteractive' },
		});
}

/**
 * Installs the missing Debian packages. Where it can't, it says what to do and ends this process. `who` begins that
 * sentence.
 */
export async function installPackages(missing, who) {
	if (missing.length === 0) return;
	const apt = aptFor(missing, who, process.cwd());
	await apt('update');
	await apt('install', '--yes', '--no-install-recommends', ...missing);
}

/** Unpacks Debian packages into a folder: their programs are there, and no service is set up or started. */
export async function unpackPackages(packages, who, folder) {
	mkdirSync(folder, { recursive: true });
	const apt = aptFor(packages, who, folder);
	await apt('update');
	await apt('download', ...packages);
	for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
		execFileSync('dpkg', ['-x', join(folder, file), folder]);
}
