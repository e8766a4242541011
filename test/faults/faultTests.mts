import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { FaultFixture } from './faultFixture.mts';

export interface FaultCase {
	/** What goes wrong. */
	fault: string;
	/** Causes the fault, and ends when the workflow works again or is cleaned up. */
	run(fixture: FaultFixture): Promise<void>;
}

/** Each of several starts of n8n has two minutes. */
const CASE_TIMEOUT_MS = 900_000;

/** By default, a killed n8n's publications are taken over after minutes. */
const OUTBOX_LEASE = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' };

/** Cases that share one n8n and run at the same time, as many as Jest's `maxConcurrency` says. */
export function testWithSharedN8n(cases: FaultCase[]): void {
	let n8nFixture: N8nFixture;
	beforeAll(async () => {
		n8nFixture = await startN8nFixture();
	});
	afterAll(async () => await n8nFixture.stop());

	it.concurrent.each(cases)(
		'recovers: $fault',
		async (faultCase) => await runCase(faultCase, n8nFixture),
		CASE_TIMEOUT_MS,
	);
}

/** Cases that stop or restart n8n, one after the other; each has a workflow and a fake Argyle of its own. */
export function testWithOwnN8n(cases: FaultCase[]): void {
	let n8nFixture: N8nFixture;
	beforeAll(async () => {
		n8nFixture = await startN8nFixture({ env: OUTBOX_LEASE });
	});
	afterAll(async () => await n8nFixture.stop());

	it.each(cases)('recovers: $fault', async (faultCase) => await runCase(faultCase, n8nFixture), CASE_TIMEOUT_MS);
}

async function runCase(faultCase: FaultCase, n8nFixture: N8nFixture): Promise<void> {
	const fixture = await FaultFixture.create(n8nFixture, faultCase.fault);
	await faultCase.run(fixture);
	const subscriptionSecrets = fixture.subscriptionSecrets();
	await fixture.client.archive(fixture.workflow.id).catch(() => undefined);
	await fixture.expectRemoved();
	fixture.expectNoSideEffects(subscriptionSecrets);
}
