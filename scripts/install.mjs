// Plain JavaScript without dependencies: it runs before anything is installed, on whatever Node the machine has.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PROGRESS_EVERY_MS = 15_000;

/** Takes a folder with a lock file; tells whether what npm last installed there is at least as new as the lock. */
function isInstalled(folder) {
	const installed = join(folder, 'node_modules', '.package-lock.json');
	return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}

/**
 * Runs a command in a folder, silently but for a line of progress every 15 s. Resolves when it ends well; rejects
 * with the tail of what it printed when it doesn't.
 */
export async function runQuietly(command, args, { cwd, what, env = {} }) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
	let printed = '';
	const collect = (chunk) => {
		printed = (printed + chunk).slice(-4_000);
	};
	child.stdout.on('data', collect);
	child.stderr.on('data', collect);
	const progress = setInterval(() => console.log(`  … ${what}, ${seconds()} s so far`), PROGRESS_EVERY_MS);
	try {
		await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('close', (code) =>
				code === 0 ? resolve() : reject(new Error(`${what} failed (exit code ${code}):\n${printed}`)),
			);
		});
	} finally {
		clearInterval(progress);
	}
	return seconds();
}

/**
 * Takes a folder with a package.json and a lock file, how to name what it holds, and what to expect of the wait; runs
 * `npm ci` there unless that was done for this lock already.
 */
export async function ensureInstalled(folder, what, wait) {
	if (isInstalled(folder)) return;
	console.log(`Installing ${what} (once, ${wait}) …`);
	const seconds = await runQuietly('npm', ['ci'], { cwd: folder, what: `installing ${what}` });
	console.log(`Installed ${what} in ${seconds} s`);
}
