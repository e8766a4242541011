// `npm run demo`: a real n8n and the fake Argyle, with a workflow from submitted form to receipt, published.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { credentialFor } from '../../test/support/fakeArgyle/credential.mts';
import type { FakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import { N8nClient } from '../../test/support/n8n/client.mts';
import type { StoredWorkflow } from '../../test/support/n8n/workflow.mts';
import { installPackage } from '../../test/support/n8n/installedPackage.mts';
import { preparePackage } from '../../test/support/n8n/prepare.mjs';
import { freePort, type RunningN8n, startN8n } from '../../test/support/n8n/process.mts';
import { until } from '../../test/support/n8n/until.mts';
import { root, workFolder } from '../../test/support/paths.mts';
import { printCredential, printPage, startArgyle, submitFirstForm } from './fakeArgyle.mts';
import { untilInterrupted } from './interrupt.mts';
import { keepData, restoreData } from './keep.mts';
import { type DemoOptions, readOptions } from './options.mts';
import { type DemoPage, startPage } from './page.mts';
import { fail, heading, print, step } from './output.mts';
import { keysFolder, letArgyleIn, type RealKeys, readRealKeys, removeLeftKeys } from './realKeys.mts';
import { openUserFolder, type Secrets } from './userFolder.mts';
import { followExecutions, publishWorkflow } from './workflow.mts';

const N8N_PORT = 5678;
const REMOVAL_DEADLINE_MS = 15_000;
const KEEP_EVERY_MS = 5_000;

/** Starts n8n with the package. */
async function startN8nOfDemo(
	userFolder: string,
	port: number,
	{ encryptionKey }: Secrets,
	realKeys: RealKeys | undefined,
): Promise<RunningN8n> {
	step(`Starting n8n, with its data in ${relative(root, userFolder)} …`);
	installPackage(userFolder);
	const env = { N8N_ENCRYPTION_KEY: encryptionKey, ...realKeys?.n8nEnvironment };
	return await startN8n({ userFolder, port, env });
}

/** Prints what to try, then every execution until Ctrl-C. */
async function letTry(
	n8n: RunningN8n,
	client: N8nClient,
	workflow: StoredWorkflow,
	argyle: FakeArgyle | undefined,
	page: DemoPage | undefined,
	end: Promise<void>,
) {
	heading('Now try it');
	print(`Open      ${client.origin}/workflow/${workflow.id}`);
	print(`Sign in   ${client.owner.email}  /  ${client.owner.password}`);
	if (argyle !== undefined && page !== undefined) {
		printPage(page);
		printCredential(argyle);
		print('Press Ctrl-C to end. What you build here is lost at the next start, unless that is npm run demo -- --keep');
	} else {
		print('Submit a form in Argyle Link, and watch the execution come in.');
		print('Press Ctrl-C to end. What you build here is then removed, and so is your key.');
	}
	await Promise.race([end, followExecutions(client, workflow.id, n8n, end)]);
}

/** Unpublishes every workflow, and says which subscriptions are left all the same. */
async function unpublishAll(client: N8nClient, argyle: FakeArgyle | undefined) {
	heading('Ending');
	for (const { id } of await client.workflows({ active: true })) await client.unpublish(id);
	if (argyle === undefined) {
		step('All workflows are unpublished, and n8n was told to remove their subscriptions at Argyle');
		return;
	}
	const isRemoved = async () => argyle.subscriptions.size === 0 || undefined;
	await until('the subscriptions are removed', REMOVAL_DEADLINE_MS, isRemoved).catch(() => undefined);
	step('All workflows are unpublished');
	for (const { name, url } of argyle.subscriptions.values()) step(`A subscription is left: "${name}" to ${url}`);
	if (argyle.subscriptions.size === 0) step('Their subscriptions are gone from the fake Argyle');
}

async function run(options: DemoOptions): Promise<void> {
	const realKeys = options.keys ? readRealKeys(process.env) : undefined;
	const hasReceipts = realKeys === undefined || realKeys.hasReceipts;
	const interrupted = untilInterrupted();
	await preparePackage(() => step('Building the package …'));
	const port = await freePort(N8N_PORT);
	// For its port, because a demo that already runs keeps its own.
	const userFolder = realKeys === undefined ? join(workFolder, 'demo', String(port)) : keysFolder;
	await removeLeftKeys();
	if (realKeys !== undefined) await letArgyleIn(realKeys, port);
	const secrets = openUserFolder(userFolder, options.keep);
	const kept = join(userFolder, 'argyle.json');
	const argyle = realKeys === undefined ? await startArgyle() : undefined;
	if (argyle !== undefined && options.keep) restoreData(argyle, kept);
	const n8n = await startN8nOfDemo(userFolder, port, secrets, realKeys);
	const client = new N8nClient(n8n.origin, secrets.password);
	const page = argyle && (await startPage(argyle, client));
	const keep = () => argyle && keepData(argyle, kept);
	keep();
	// A demo that is killed loses some seconds.
	const keeping = setInterval(keep, KEEP_EVERY_MS);
	try {
		await client.signIn();
		step(`n8n runs at ${n8n.origin}`);
		const credential = realKeys?.credential ?? (argyle === undefined ? {} : credentialFor(argyle));
		try {
			const { workflow, isNew } = await publishWorkflow(client, credential, hasReceipts, page);
			step('The workflow "Form to receipt" is published: Argyle will tell it of every submitted form');
			if (!isNew) step('Your own workflows are kept, too: publish those that are to run');
			if (!hasReceipts) step('Receipts exist only in Production: in Sandbox the workflow ends with the event');
			if (argyle !== undefined && isNew) await submitFirstForm(argyle, client, workflow.id);
			if (!options.once) await letTry(n8n, client, workflow, argyle, page, interrupted);
		} finally {
			await unpublishAll(client, argyle);
		}
	} catch (error) {
		throw n8n.hasEnded ? new Error(`n8n ended by itself:\n${readFileSync(n8n.logFile, 'utf8').slice(-3_000)}`) : error;
	} finally {
		clearInterval(keeping);
		keep();
		page?.stop();
		await n8n.stop();
		await argyle?.stop();
		step('n8n is stopped');
	}
}

try {
	await run(readOptions());
} catch (error) {
	fail(error);
}
process.exit(0);
