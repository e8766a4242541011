// Plain JavaScript without dependencies: it runs before anything is installed, on whatever Node.js the machine has.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assertRegistry } from './preflight.mjs';

const PROGRESS_EVERY_MS = 15_000;

/** Returns whether what npm last installed in a folder is at least as new as its lock file. */
export function isInstalled(folder) {
	const installed = join(folder, 'node_modules', '.package-lock.json');
	return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}

/**
 * Runs a command in a folder, with a line of progress every 15 s. Resolves to the seconds it took; rejects with the end
 * of what it printed when its exit code is not 0. `what` names it in both.
 */
export async function runQuietly(command, args, { cwd, what, env = {} }) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	// Under `npm run --silent`, npm would not print why it failed.
	const quiet = { ...process.env, npm_config_loglevel: 'error', ...env };
	const child = spawn(command, args, { cwd, env: quiet, stdio: ['ignore', 'pipe', 'pipe'] });
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
 * Runs `npm ci` in a folder, unless that was done for its lock file already. `what` names what is installed, `wait` how
 * long it takes.
 */
export async function ensureInstalled(folder, what, wait) {
	if (isInstalled(folder)) return;
	assertRegistry();
	console.log(`Installing ${what} (once, ${wait}) …`);
	const seconds = await runQuietly('npm', ['ci'], { cwd: folder, what: `installing ${what}` });
	console.log(`Installed ${what} in ${seconds} s`);
}
