// Makes ready what queue mode needs beside n8n: the programs of Postgres and Redis, from Debian's packages.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runQuietly } from '../install.mjs';

const isThere = (program) => {
	try {
		execFileSync('which', [program], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
};

const missing = [
	...(existsSync('/usr/lib/postgresql') ? [] : ['postgresql']),
	...(isThere('redis-server') ? [] : ['redis-server']),
	...(isThere('setpriv') ? [] : ['util-linux']),
];
if (missing.length > 0) {
	const isRoot = process.getuid?.() === 0;
	if (!isThere('apt-get') || (!isRoot && !isThere('sudo'))) {
		console.error(`Queue mode needs ${missing.join(' and ')}. Install them, then start this again.`);
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
