import { freePort } from '../../test/support/n8n/process.mts';
import type { N8nClient } from '../../test/support/n8n/client.mts';
import { credentialFor } from '../../test/support/fakeArgyle/credential.mts';
import { type FakeArgyle, startFakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import { step } from './output.mts';
import { sayExecution } from './workflow.mts';

const PORT = 4010;

/** The stand-in, and the credential for it. */
export interface StandIn {
	service: FakeArgyle;
	credential: Record<string, unknown>;
}

/** Starts the stand-in, on the next free port from 4010. */
export async function startStandIn(): Promise<StandIn> {
	const service = await startFakeArgyle({ port: await freePort(PORT) });
	step(`The stand-in for the Argyle API runs at ${service.origin}`);
	return { service, credential: credentialFor(service) };
}

/**
 * Submits one form by itself, so that the main job is seen at once: subscription, delivery, execution, receipt.
 * Rejects when the receipt isn't the stand-in's, byte for byte.
 */
export async function submitFirstForm(service: FakeArgyle, client: N8nClient, workflowId: string): Promise<void> {
	for (const { id, name, url, events } of service.subscriptions.values()) {
		step(`Subscription ${id} "${name}" for ${events.join(', ')} is registered, to ${url}`);
	}
	const before = (await client.executions(workflowId)).length;
	const { form, user, attempts } = await service.submitForm();
	step(
		`User form ${form.id} submitted; its signed delivery was answered ${attempts.map(({ status, body }) => `${status} ${body}`).join(', ')}`,
	);
	const [latest] = await client.waitForExecutions(workflowId, before + 1);
	const receipt = await sayExecution(client, latest?.id ?? '');
	const wanted = await service.receiptPdf(user);
	if (receipt === undefined || !receipt.equals(wanted))
		throw new Error('The execution did not end with the receipt that the stand-in made');
	step(`These are the ${wanted.length} bytes that the stand-in made, byte for byte`);
}
