import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { FaultFixture } from './faultFixture.mts';

/** Causes what goes wrong, and ends when the workflow works again or is cleaned up. */
type Run = (fixture: FaultFixture) => Promise<void>;

/** Each of several starts of n8n has two minutes. */
const FAULT_TIMEOUT_MS = 900_000;

/** By default, a killed n8n's publications are taken over after minutes. */
const OUTBOX_LEASE = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' };

/** An n8n for the tests of a group. */
function useN8n(options?: Parameters<typeof startN8nFixture>[0]): () => N8nFixture {
	let n8nFixture: N8nFixture;
	beforeAll(async () => {
		n8nFixture = await startN8nFixture(options);
	});
	afterAll(async () => await n8nFixture.stop());
	return () => n8nFixture;
}

/** For faults that share one n8n and occur at the same time, as many as Jest's `maxConcurrency` says. */
export function inSharedN8n() {
	const n8n = useN8n();
	return (fault: string, run: Run) =>
		it.concurrent(`recovers: ${fault}`, async () => await runFault(fault, run, n8n()), FAULT_TIMEOUT_MS);
}

/** For faults that stop or restart n8n, one after the other; each has a workflow and a fake Argyle of its own. */
export function inOwnN8n() {
	const n8n = useN8n({ env: OUTBOX_LEASE });
	return (fault: string, run: Run) =>
		it(`recovers: ${fault}`, async () => await runFault(fault, run, n8n()), FAULT_TIMEOUT_MS);
}

async function runFault(fault: string, run: Run, n8nFixture: N8nFixture): Promise<void> {
	const fixture = await FaultFixture.create(n8nFixture, fault);
	await run(fixture);
	const subscriptionSecrets = fixture.subscriptionSecrets();
	await fixture.client.archive(fixture.workflow.id).catch(() => undefined);
	await fixture.expectRemoved();
	fixture.expectNoSideEffects(subscriptionSecrets);
}
