// `npm run demo`: a real n8n and the stand-in for Argyle, with the main job ready and running. `-- --keys` uses a
// real Argyle key instead.
// `-- --once` ends by itself after the first receipt.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { workFolder } from '../paths.mts';
import { installPackage } from '../n8n/package.mts';
import { freePort, startN8n } from '../n8n/process.mts';
import { N8nClient } from '../n8n/rest.mts';
import { untilInterrupted } from './interrupt.mts';
import { readRealKeys } from './realKeys.mts';
import { fail, heading, say, step } from './say.mts';
import { followExecutions, prepareWorkflow } from './steps.mts';
import { startStandIn, submitFirstForm } from './standIn.mts';

const USER_FOLDER = join(workFolder, 'demo');
const N8N_PORT = 5678;

const isOnce = process.argv.includes('--once');

async function run(): Promise<void> {
	const realKeys = process.argv.includes('--keys') ? readRealKeys(process.env) : undefined;
	const interrupted = untilInterrupted();
	const standIn = realKeys === undefined ? await startStandIn() : undefined;
	const port = await freePort(N8N_PORT);
	step('Starting n8n, with a new database in .work/demo …');
	rmSync(USER_FOLDER, { recursive: true, force: true });
	installPackage(USER_FOLDER);
	const n8n = await startN8n({ userFolder: USER_FOLDER, port, env: realKeys?.n8nEnvironment });
	try {
		const client = new N8nClient(n8n.origin);
		await client.signIn();
		step(`n8n runs at ${n8n.origin}`);

		const workflow = await prepareWorkflow(
			client,
			realKeys?.credential ?? standIn?.credential ?? {},
			realKeys === undefined || realKeys.hasReceipts,
		);
		step('The workflow "Form to receipt" is published: Argyle will tell it of every submitted form');
		if (standIn !== undefined) await submitFirstForm(standIn.service, client, workflow.id);

		if (!isOnce) {
			heading('Now try it');
			say(`Open      ${n8n.origin}/workflow/${workflow.id}`);
			say(`Sign in   ${client.owner.email}  /  ${client.owner.password}`);
			if (standIn !== undefined)
				say(`Submit a form, in another terminal:\n            curl -X POST ${standIn.service.origin}/stand-in/forms`);
			else say('Submit a form in Argyle Link, and watch the execution come in.');
			say('Press Ctrl-C to end.');
			await Promise.race([interrupted, followExecutions(client, workflow.id)]);
		}

		heading('Ending');
		await client.unpublish(workflow.id);
		if (standIn === undefined) step('The workflow is unpublished and its subscription at Argyle removed');
		else step(`The workflow is unpublished; subscriptions left at the stand-in: ${standIn.service.subscriptions.size}`);
		if (standIn !== undefined && standIn.service.subscriptions.size > 0)
			throw new Error('A subscription was left behind');
	} finally {
		await n8n.stop();
		await standIn?.service.stop();
		step('n8n is stopped');
	}
}

await run().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
process.exit(0);
