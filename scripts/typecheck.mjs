// `npm run typecheck`: the types of the nodes, of tests and scripts, and of the browser suite where it is installed.
import { spawnSync } from 'node:child_process';
import { isInstalled } from './install.mjs';

const BROWSER = 'test/e2e/browser';

const checks = [
	['--noEmit', '--incremental', '--tsBuildInfoFile', '.work/types/nodes.tsbuildinfo'],
	['-p', 'test'],
	...(isInstalled(BROWSER) ? [['-p', BROWSER]] : []),
];
const results = checks.map((args) => spawnSync('tsc', args, { stdio: 'inherit' }).status);
process.exitCode = results.every((status) => status === 0) ? 0 : 1;
