// Plain JavaScript without dependencies: it runs before anything is installed, on whatever Node.js the machine has.
import { spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertRegistry } from './preflight.mjs';

const PROGRESS_EVERY_MS = 15_000;

/** Seconds that the parts of the first start of an n8n usually take on two processors. */
export const FIRST_START = { tools: 60, n8n: 30, sqlite: 60, start: 30 };

/** One line for each 15 s: `usual` and `after` are the seconds of this part, and of all that is left after it. */
export function progressLine(what, soFar, { usual, after = 0 }) {
	const then = after > 0 ? `, then about ${after} s` : '';
	const left = soFar < usual ? `about ${usual - soFar} s to go${then}` : `longer than usual${then}`;
	return `  … ${what}, ${soFar} s so far, ${left}`;
}

/** Files that are newer than the lock file of their folder once all is installed. npm writes the first by itself. */
const NPM_MARK = join('node_modules', '.package-lock.json');
const BUN_MARK = join('node_modules', '.installed');

export function isInstalled(folder) {
	const lockedAt = statSync(join(folder, 'package-lock.json')).mtimeMs;
	const marks = [NPM_MARK, BUN_MARK].map((mark) => join(folder, mark));
	return marks.some((mark) => existsSync(mark) && statSync(mark).mtimeMs >= lockedAt);
}

/**
 * Runs a command in a folder, with a line of progress every 15 s. Resolves to the seconds it took; rejects with the end
 * of what it printed when its exit code is not 0. `what` names it in both. `time` is as for `progressLine`.
 */
export async function runQuietly(command, args, { cwd, what, time, env = {} }) {
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
	const progress = setInterval(() => console.log(progressLine(what, seconds(), time)), PROGRESS_EVERY_MS);
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

/** Resolves to the seconds that npm took. */
export const installWithNpm = async (cwd, what, time) =>
	await runQuietly('npm', ['ci'], { cwd, what: `installing ${what}`, time });

/** Bun reads npm's lock file, and runs no scripts of packages. Resolves to the seconds that it took. */
export async function installWithBun(cwd, what, time) {
	const args = ['install', '--frozen-lockfile', '--no-save', '--ignore-scripts'];
	const seconds = await runQuietly('bun', args, { cwd, what: `installing ${what}`, time });
	writeFileSync(join(cwd, BUN_MARK), '');
	return seconds;
}

/**
 * Installs what the lock file of a folder says, unless that was done. `what` names what is installed; `time` is as for
 * `progressLine`.
 */
export async function ensureInstalled(folder, what, time, install = installWithNpm) {
	if (isInstalled(folder)) return;
	assertRegistry();
	console.log(`Installing ${what} (once, about ${time.usual} s) …`);
	console.log(`Installed ${what} in ${await install(folder, what, time)} s`);
}
