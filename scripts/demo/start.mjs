// `npm run demo`, as far as it runs before anything is installed.
import { spawn } from 'node:child_process';
import { hasN8n } from '../preflight.mjs';

const HELP = `npm run demo              n8n with the package and a fake Argyle, and a workflow from a form to its receipt
npm run demo -- --keep    the same with the workflows, people, invites, orders and reports of the last demo, and its
                          key. "Form to receipt" is published again, your own workflows you publish yourself
npm run demo -- --keys    your own Argyle key instead of the fake; says what to set for that. Keeps nothing
npm run demo -- --once    ends after the first receipt
npm run demo -- --help    this text`;

const args = process.argv.slice(2);

/** Resolves with the exit code. Ctrl-C reaches the program by itself, what ends this process is handed on. */
async function run(...nodeArgs) {
	const child = spawn('node', nodeArgs, { stdio: 'inherit' });
	process.once('SIGTERM', () => child.kill('SIGTERM'));
	return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

if (args.includes('--help')) {
	console.log(HELP);
} else {
	process.on('SIGINT', () => {});
	if (!hasN8n()) {
		console.log('The first start takes about three minutes and 2 GB: it installs the development tools and n8n, and');
		console.log("compiles n8n's SQLite. Each later start takes about half a minute.");
	}
	process.exitCode = await run('scripts/setup.mjs', 'n8n');
	if (process.exitCode === 0) process.exitCode = await run('scripts/demo/demo.mts', ...args);
}
