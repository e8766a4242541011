import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, type CredentialRef, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';

let fixture: N8nFixture;
let connection: Awaited<ReturnType<N8nFixture['connectArgyle']>>;

const WAYS = ['webhook', 'polling'];

async function publishWorkflows(credential: CredentialRef, owner: string): Promise<StoredWorkflow[]> {
	const workflows: StoredWorkflow[] = [];
	for (const receiveBy of WAYS) {
		const nodes = [argyleTrigger(credential, { receiveBy }), n8nNode('Done', 'noOp')];
		const workflow = await fixture.client.createWorkflow(`${owner} ${receiveBy}`, nodes, inARow(nodes));
		await fixture.client.publish(workflow);
		workflows.push(workflow);
	}
	return workflows;
}

const executionCounts = async (workflows: StoredWorkflow[]) =>
	await Promise.all(workflows.map(async ({ id }) => (await fixture.client.executions(id)).length));

const countRequests = (status: number) =>
	connection.argyle.requests.filter((request) => request.status === status).length;

beforeAll(async () => {
	fixture = await startN8nFixture();
	connection = await fixture.connectArgyle();
});
afterAll(async () => await fixture.stop());

it('a start of n8n brings the missed forms to the right credential, and none to one that has the same API Key ID and a mistyped secret', async () => {
	const { argyle, credential, credentialData } = connection;
	const mistyped = await fixture.client.createCredential('Mistyped', 'argyleApi', credentialData);
	const wrongOnes = await publishWorkflows(mistyped, 'Mistyped');
	const rightOnes = await publishWorkflows(credential, 'Right');
	await fixture.client.updateCredential(mistyped, 'argyleApi', { ...credentialData, apiKeySecret: 'mistyped-secret' });
	argyle.requests.length = 0;
	await fixture.restart({ whileStopped: () => argyle.storeForm() });
	// A form that is a minute young may be on its way for half a minute more.
	await until('the right ones have started', 150_000, async () =>
		(await executionCounts(rightOnes)).every((count) => count === 1) ? true : undefined,
	);
	await until('the wrong ones have asked', 150_000, async () => (countRequests(401) > 0 ? true : undefined));
	expect(await executionCounts(wrongOnes)).toEqual([0, 0]);
	expect(await executionCounts(rightOnes)).toEqual([1, 1]);
}, 420_000);
