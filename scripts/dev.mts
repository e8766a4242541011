// `npm run dev`: a real n8n with this package, compiled and reloaded within seconds of a change in nodes/ or
// credentials/. The fake Argyle runs beside it, and a credential for it is stored.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { credentialFor } from '../test/support/fakeArgyle/credential.mts';
import { N8nClient } from '../test/support/n8n/client.mts';
import { preparePackage } from '../test/support/n8n/prepare.mjs';
import { freePort, startN8n } from '../test/support/n8n/process.mts';
import { root, workFolder } from '../test/support/paths.mts';
import { printPage, startArgyle } from './demo/fakeArgyle.mts';
import { untilInterrupted } from './demo/interrupt.mts';
import { fail, heading, print, step } from './demo/output.mts';
import { MAIL_CREDENTIAL_NAME, startPage } from './demo/page.mts';
import { openUserFolder } from './demo/userFolder.mts';

const N8N_PORT = 5678;
const CREDENTIAL_NAME = 'Argyle (fake)';

/** Starts a Node program that ends with this one, and prints what it finds. Resolves when it has printed `ready`. */
async function startWatcher(ready: string, args: string[], env: Record<string, string> = {}): Promise<ChildProcess> {
	const endWithParent = pathToFileURL(join(root, 'test', 'support', 'n8n', 'endWithParent.mjs')).href;
	const child = spawn(process.execPath, ['--import', endWithParent, ...args], {
		env: { ...process.env, ...env },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	await new Promise<void>((resolve, reject) => {
		child.once('exit', () => reject(new Error(`${args.join(' ')} ended`)));
		child.stdout?.on('data', (chunk: Buffer) => {
			const text = chunk.toString();
			if (text.includes('error')) console.log(text.trimEnd());
			if (text.includes(ready)) resolve();
		});
	});
	return child;
}

/**
 * Compiles into the folder from which n8n loads the package, now and at every change. n8n watches it: a real folder,
 * because behind a link to the project n8n would watch all of its `node_modules` as well.
 */
async function watchSource(packageFolder: string): Promise<ChildProcess[]> {
	rmSync(packageFolder, { recursive: true, force: true });
	mkdirSync(packageFolder, { recursive: true });
	cpSync(join(root, 'package.json'), join(packageFolder, 'package.json'));
	const outDir = join(packageFolder, 'dist');
	const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
	const gulp = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
	return await Promise.all([
		startWatcher('Watching for file changes', [tsc, '--watch', '--preserveWatchOutput', '--outDir', outDir]),
		startWatcher("Finished 'copyAssets'", [gulp, 'watchAssets'], { OUT_DIR: outDir }),
	]);
}

async function run(): Promise<void> {
	const interrupted = untilInterrupted();
	await preparePackage(() => step('Building the package …'));
	const port = await freePort(N8N_PORT);
	const userFolder = join(workFolder, 'dev', String(port));
	const { password, encryptionKey } = openUserFolder(userFolder, true);
	const watchers = await watchSource(join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-argyle'));
	step('The package is compiled; starting n8n …');
	const argyle = await startArgyle();
	const n8n = await startN8n({ userFolder, port, env: { N8N_DEV_RELOAD: 'true', N8N_ENCRYPTION_KEY: encryptionKey } });
	const client = new N8nClient(n8n.origin, password);
	const page = await startPage(argyle, client);
	try {
		await client.signIn();
		// One of an earlier run gets the address and the key of this run's fake Argyle.
		await client.storeCredential(CREDENTIAL_NAME, 'argyleApi', credentialFor(argyle));
		await client.storeCredential(MAIL_CREDENTIAL_NAME, 'smtp', page.mailCredential);
		step(`n8n runs at ${n8n.origin}; its log is ${n8n.logFile}`);
		heading('Now change something in nodes/ or credentials/, and look at it in n8n');
		// By another name than the demo's: cookies know no ports, and signing in to one would sign out of the other.
		print(`Open      ${n8n.origin.replace('127.0.0.1', 'localhost')}`);
		print(`Sign in   ${client.owner.email}  /  ${client.owner.password}`);
		print(`The credential "${CREDENTIAL_NAME}" is stored; workflows and executions are kept for the next time.`);
		printPage(page);
		print('Press Ctrl-C to end.');
		await interrupted;
	} finally {
		for (const watcher of watchers) watcher.kill();
		page.stop();
		await n8n.stop();
		await argyle.stop();
		step('n8n is stopped');
	}
}

await run().catch(fail);
process.exit(0);
