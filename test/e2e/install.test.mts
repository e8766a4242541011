import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import {
	installedVersion,
	installPackage,
	packAs,
	tarball,
	uninstallPackage,
	updatePackage,
} from '../support/n8n/installedPackage.mts';
import { argyleTrigger, generateReceipt } from '../support/n8n/nodes.mts';

const PREVIOUS_VERSION = '0.0.1';
const RECEIVED = [{ status: 200, body: '{"message":"Received"}' }];

let fixture: N8nFixture;
let argyle: FakeArgyle;
let workflow: StoredWorkflow;

const subscriptions = () => [...argyle.subscriptions.values()].map(({ id, url, secret }) => ({ id, url, secret }));
const submitForm = async () => (await argyle.submitForm()).attempts.map(({ status, body }) => ({ status, body }));

beforeAll(async () => {
	const previous = packAs(PREVIOUS_VERSION);
	fixture = await startN8nFixture({ install: (userFolder) => installPackage(userFolder, previous) });
	const connection = await fixture.connectArgyle({ retryAfterMs: 500 });
	({ argyle } = connection);
	const nodes = [
		argyleTrigger(connection.credential),
		generateReceipt(connection.credential, '={{ $json.data.user }}'),
	];
	workflow = await fixture.client.publishNew('Outlives updates', nodes);
});
afterAll(async () => await fixture.stop());

it("runs both nodes and the credential when it is installed with the options of n8n's installer", async () => {
	expect(installedVersion(fixture.n8n.userFolder)).toBe(PREVIOUS_VERSION);
	expect(await submitForm()).toEqual(RECEIVED);
	expect(await fixture.client.waitForExecutions(workflow.id, 1)).toMatchObject([{ status: 'success' }]);
});

it('keeps the subscription and runs the published workflow after the package is updated', async () => {
	const before = subscriptions();
	expect(before).toHaveLength(1);
	await fixture.restart({ whileStopped: () => updatePackage(fixture.n8n.userFolder, tarball) });
	expect(installedVersion(fixture.n8n.userFolder)).not.toBe(PREVIOUS_VERSION);
	expect(await submitForm()).toEqual(RECEIVED);
	expect(await fixture.client.waitForExecutions(workflow.id, 2)).toMatchObject([
		{ status: 'success' },
		{ status: 'success' },
	]);
	expect(subscriptions()).toEqual(before);
});

describe('after the package is uninstalled under a published workflow', () => {
	it('leaves the subscription at Argyle and refuses deliveries after the package is uninstalled', async () => {
		const before = subscriptions();
		await fixture.restart({ whileStopped: () => uninstallPackage(fixture.n8n.userFolder) });
		// n8n answers 404 or 500, and names the node type or the webhook, depending on how far its start has come.
		const [answer] = await submitForm();
		expect(answer?.status).toBeGreaterThanOrEqual(400);
		expect(await fixture.client.executions(workflow.id)).toHaveLength(2);
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
		expect(await submitForm()).toEqual(RECEIVED);
		await fixture.client.unpublish(workflow.id);
		expect(subscriptions()).toEqual([]);
	});
});
