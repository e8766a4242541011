import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { installPackage, uninstallPackage } from '../support/n8n/installedPackage.mts';
import { argyleTrigger, n8nNode } from '../support/n8n/nodes.mts';

let fixture: N8nFixture;
let argyle: FakeArgyle;
let workflow: StoredWorkflow;

const subscriptions = () => [...argyle.subscriptions.values()].map(({ id, url, secret }) => ({ id, url, secret }));
const submitForm = async () => (await argyle.submitForm()).attempts.map(({ status, body }) => ({ status, body }));

beforeAll(async () => {
	fixture = await startN8nFixture();
	const connection = await fixture.connectArgyle({ retryAfterMs: 500 });
	({ argyle } = connection);
	const nodes = [argyleTrigger(connection.credential), n8nNode('Done', 'noOp')];
	workflow = await fixture.client.publishNew('Outlives the package', nodes);
});
afterAll(async () => await fixture.stop());

it('leaves the subscription at Argyle and refuses deliveries after the package is uninstalled', async () => {
	const before = subscriptions();
	expect(before).toHaveLength(1);
	await fixture.restart({ whileStopped: () => uninstallPackage(fixture.n8n.userFolder) });
	// n8n answers 404 or 500, and names the node type or the webhook, depending on how far its start has come.
	const [answer] = await submitForm();
	expect(answer?.status).toBeGreaterThanOrEqual(400);
	expect(await fixture.client.executions(workflow.id)).toEqual([]);
	expect(subscriptions()).toEqual(before);
});

it('leaves the subscription at Argyle when the workflow is unpublished without the package', async () => {
	const before = subscriptions();
	await fixture.client.unpublish(workflow.id);
	expect(await submitForm()).toMatchObject([{ status: 404 }]);
	expect(subscriptions()).toEqual(before);
});

it('deletes that subscription when the package is installed again and the workflow published and unpublished', async () => {
	await fixture.restart({ whileStopped: () => installPackage(fixture.n8n.userFolder) });
	await fixture.client.publish(workflow);
	expect(subscriptions()).toHaveLength(1);
	expect(await submitForm()).toEqual([{ status: 200, body: '{"message":"Received"}' }]);
	await fixture.client.unpublish(workflow.id);
	expect(subscriptions()).toEqual([]);
});
