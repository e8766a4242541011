// `npm run demo`: a real n8n and the fake Argyle, with a workflow from submitted form to receipt, published.
// `-- --keys` uses a real Argyle key instead; `-- --once` ends after the first receipt.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { credentialFor } from '../../test/support/fakeArgyle/credential.mts';
import type { FakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import { N8nClient, type StoredWorkflow } from '../../test/support/n8n/client.mts';
import { installPackage } from '../../test/support/n8n/installedPackage.mts';
import prepareN8n from '../../test/support/n8n/prepare.mjs';
import { freePort, type RunningN8n, startN8n } from '../../test/support/n8n/process.mts';
import { until } from '../../test/support/n8n/until.mts';
import { workFolder } from '../../test/support/paths.mts';
import { printSubmitCommand, startArgyle, submitFirstForm } from './fakeArgyle.mts';
import { untilInterrupted } from './interrupt.mts';
import { fail, heading, print, step } from './output.mts';
import { type RealKeys, readRealKeys } from './realKeys.mts';
import { followExecutions, publishWorkflow } from './workflow.mts';

const N8N_PORT = 5678;
const REMOVAL_DEADLINE_MS = 15_000;

const isOnce = process.argv.includes('--once');

/** Starts n8n with the package and a new database, in a folder for its port: a demo that already runs keeps its own. */
async function startFreshN8n(realKeys: RealKeys | undefined): Promise<RunningN8n> {
	const port = await freePort(N8N_PORT);
	if (realKeys !== undefined && port !== N8N_PORT) {
		throw new Error(
			`Port ${N8N_PORT}, to which your public address forwards, is taken. End what uses it (another n8n?) and try again.`,
		);
	}
	const userFolder = join(workFolder, 'demo', String(port));
	step(`Starting n8n, with a new database in .work/demo/${port} …`);
	rmSync(userFolder, { recursive: true, force: true });
	installPackage(userFolder);
	return await startN8n({ userFolder, port, env: realKeys?.n8nEnvironment });
}

/** Prints what to try, then every execution until Ctrl-C. */
async function letTry(client: N8nClient, workflow: StoredWorkflow, argyle: FakeArgyle | undefined, end: Promise<void>) {
	heading('Now try it');
	print(`Open      ${client.origin}/workflow/${workflow.id}`);
	print(`Sign in   ${client.owner.email}  /  ${client.owner.password}`);
	if (argyle !== undefined) printSubmitCommand(argyle);
	else print('Submit a form in Argyle Link, and watch the execution come in.');
	print('Press Ctrl-C to end.');
	await Promise.race([end, followExecutions(client, workflow.id)]);
}

/** Unpublishes the workflow. Rejects when the fake Argyle still has a subscription afterwards. */
async function unpublish(client: N8nClient, workflow: StoredWorkflow, argyle: FakeArgyle | undefined) {
	heading('Ending');
	await client.unpublish(workflow.id);
	if (argyle === undefined) {
		step('The workflow is unpublished, and n8n was told to remove its subscription at Argyle');
		return;
	}
	const isRemoved = async () => argyle.subscriptions.size === 0 || undefined;
	await until('the subscription is removed', REMOVAL_DEADLINE_MS, isRemoved);
	step('The workflow is unpublished, and its subscription is gone from the fake Argyle');
}

async function run(): Promise<void> {
	const realKeys = process.argv.includes('--keys') ? readRealKeys(process.env) : undefined;
	const hasReceipts = realKeys === undefined || realKeys.hasReceipts;
	const interrupted = untilInterrupted();
	step('Building the package …');
	await prepareN8n();
	const argyle = realKeys === undefined ? await startArgyle() : undefined;
	const n8n = await startFreshN8n(realKeys);
	try {
		const client = new N8nClient(n8n.origin);
		await client.signIn();
		step(`n8n runs at ${n8n.origin}`);
		const credential = realKeys?.credential ?? (argyle === undefined ? {} : credentialFor(argyle));
		const workflow = await publishWorkflow(client, credential, hasReceipts);
		try {
			step('The workflow "Form to receipt" is published: Argyle will tell it of every submitted form');
			if (!hasReceipts) step('Receipts exist only in Production: in Sandbox the workflow ends with the event');
			if (argyle !== undefined) await submitFirstForm(argyle, client, workflow.id);
			if (!isOnce) await letTry(client, workflow, argyle, interrupted);
		} finally {
			await unpublish(client, workflow, argyle);
		}
	} catch (error) {
		throw n8n.hasEnded ? new Error(`n8n ended by itself; its log is ${n8n.logFile}`) : error;
	} finally {
		await n8n.stop();
		await argyle?.stop();
		step('n8n is stopped');
	}
}

await run().catch(fail);
process.exit(0);
