// `npm run demo`: a real n8n and the stand-in for Argyle, with the main job ready and running. `-- --keys` uses a
// real Argyle key instead.
// `-- --once` ends by itself after the first receipt.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { workFolder } from '../../test/support/paths.mts';
import { installPackage } from '../../test/support/n8n/installedPackage.mts';
import { freePort, type RunningN8n, startN8n } from '../../test/support/n8n/process.mts';
import { N8nClient, type StoredWorkflow } from '../../test/support/n8n/client.mts';
import { until } from '../../test/support/n8n/until.mts';
import { untilInterrupted } from './interrupt.mts';
import { type RealKeys, readRealKeys } from './realKeys.mts';
import { fail, heading, say, step } from './output.mts';
import { followExecutions, prepareWorkflow } from './workflow.mts';
import { type StandIn, startStandIn, submitFirstForm } from './fakeArgyle.mts';

const N8N_PORT = 5678;
const REMOVAL_DEADLINE_MS = 15_000;

const isOnce = process.argv.includes('--once');

/** Starts n8n with the package in a new database, in a folder for its port: a demo that already runs keeps its own. */
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

/** Tells what to try, and shows every execution until Ctrl-C. */
async function letTry(client: N8nClient, workflow: StoredWorkflow, standIn: StandIn | undefined, end: Promise<void>) {
	heading('Now try it');
	say(`Open      ${client.origin}/workflow/${workflow.id}`);
	say(`Sign in   ${client.owner.email}  /  ${client.owner.password}`);
	if (standIn !== undefined)
		say(`Submit a form, in another terminal:\n            curl -X POST ${standIn.service.origin}/stand-in/forms`);
	else say('Submit a form in Argyle Link, and watch the execution come in.');
	say('Press Ctrl-C to end.');
	await Promise.race([end, followExecutions(client, workflow.id)]);
}

/** Unpublishes the workflow. Rejects when the stand-in still has a subscription then. */
async function end(client: N8nClient, workflow: StoredWorkflow, standIn: StandIn | undefined) {
	heading('Ending');
	await client.unpublish(workflow.id);
	if (standIn === undefined) {
		step('The workflow is unpublished, and n8n was told to remove its subscription at Argyle');
		return;
	}
	const { subscriptions } = standIn.service;
	await until('the subscription is removed', REMOVAL_DEADLINE_MS, async () => subscriptions.size === 0 || undefined);
	step('The workflow is unpublished, and its subscription is gone from the stand-in');
}

async function run(): Promise<void> {
	const realKeys = process.argv.includes('--keys') ? readRealKeys(process.env) : undefined;
	const hasReceipts = realKeys === undefined || realKeys.hasReceipts;
	const interrupted = untilInterrupted();
	const standIn = realKeys === undefined ? await startStandIn() : undefined;
	const n8n = await startFreshN8n(realKeys);
	try {
		const client = new N8nClient(n8n.origin);
		await client.signIn();
		step(`n8n runs at ${n8n.origin}`);
		const credential = realKeys?.credential ?? standIn?.credential ?? {};
		const workflow = await prepareWorkflow(client, credential, hasReceipts);
		try {
			step('The workflow "Form to receipt" is published: Argyle will tell it of every submitted form');
			if (!hasReceipts) step('Receipts exist only in Production: in Sandbox the workflow ends with the event');
			if (standIn !== undefined) await submitFirstForm(standIn.service, client, workflow.id);
			if (!isOnce) await letTry(client, workflow, standIn, interrupted);
		} finally {
			await end(client, workflow, standIn);
		}
	} catch (error) {
		throw n8n.hasEnded ? new Error(`n8n ended by itself; its log is ${n8n.logFile}`) : error;
	} finally {
		await n8n.stop();
		await standIn?.service.stop();
		step('n8n is stopped');
	}
}

await run().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
process.exit(0);
