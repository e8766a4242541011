import { execFileSync } from 'node:child_process';
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

/**
 * Installs the missing Debian packages. Where it can't, it says what to do and ends this process. `who` begins that
 * sentence.
 */
export async function installPackages(missing, who) {
	if (missing.length === 0) return;
	const isRoot = process.getuid?.() === 0;
	if (!isThere('apt-get') || (!isRoot && !isThere('sudo'))) {
		console.error(`${who} needs ${missing.join(' and ')}. Install them, then start this again.`);
		process.exit(1);
	}
	console.log(`Installing ${missing.join(' and ')} from Debian's packages (once, about half a minute) …`);
	const apt = async (...args) =>
		await runQuietly(isRoot ? 'apt-get' : 'sudo', [...(isRoot ? [] : ['apt-get']), ...args], {
			cwd: process.cwd(),
			what: `installing ${missing.join(' and ')}`,
			env: { DEBIAN_FRONTEND: 'noninteractive' },
		});
	await apt('update');
	await apt('install', '--yes', '--no-install-recommends', ...missing);
}
