import { argyleTrigger, generateReceipt, inARow, type SavedNode } from '../support/n8n/nodes.mts';
import {
	installedVersion,
	installPackage,
	packAs,
	tarball,
	uninstallPackage,
	updatePackage,
} from '../support/n8n/installedPackage.mts';
import type { StoredWorkflow } from '../support/n8n/client.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';

const PREVIOUS = '0.0.1';

let service: FakeArgyle;
let world: N8nFixture;
let workflow: StoredWorkflow;
let nodes: SavedNode[];

const subscriptions = () => [...service.subscriptions.values()].map(({ id, url, secret }) => ({ id, url, secret }));
const deliver = async () => (await service.submitForm()).attempts.map(({ status, body }) => ({ status, body }));
const TAKEN = [{ status: 200, body: '{"message":"Received"}' }];

beforeAll(async () => {
	service = await startFakeArgyle({ requestsPerSecond: 1_000, retryAfterMs: 500 });
	const previous = packAs(PREVIOUS);
	world = await startN8nFixture({ install: (userFolder) => installPackage(userFolder, previous) });
	const credential = await world.client.createCredential('Argyle', 'argyleApi', credentialFor(service));
	nodes = [argyleTrigger(credential), generateReceipt(credential, '={{ $json.data.user }}')];
	workflow = await world.client.createWorkflow('Outlives updates', nodes, inARow(nodes));
	await world.client.publish(workflow);
}, 180_000);
afterAll(async () => {
	await world.stop();
	await service.stop();
});

it('installs from the tarball as n8n does it: both nodes and the credential work', async () => {
	expect(installedVersion(world.n8n.userFolder)).toBe(PREVIOUS);
	expect(await deliver()).toEqual(TAKEN);
	expect(await world.client.waitForExecutions(workflow.id, 1)).toMatchObject([{ status: 'success' }]);
}, 60_000);

it('goes on after an update: the same subscription, and the published workflow runs', async () => {
	const before = subscriptions();
	expect(before).toHaveLength(1);
	await world.restart({ whileStopped: () => updatePackage(world.n8n.userFolder, tarball) });
	expect(installedVersion(world.n8n.userFolder)).not.toBe(PREVIOUS);
	expect(await deliver()).toEqual(TAKEN);
	expect(await world.client.waitForExecutions(workflow.id, 2)).toMatchObject([
		{ status: 'success' },
		{ status: 'success' },
	]);
	expect(subscriptions()).toEqual(before);
}, 120_000);

describe('once it is uninstalled under a published workflow', () => {
	it('leaves the subscription at Argyle, and no delivery is taken', async () => {
		const before = subscriptions();
		await world.restart({ whileStopped: () => uninstallPackage(world.n8n.userFolder) });
		expect(await deliver()).toMatchObject([
			{ status: 400, body: expect.stringContaining('Unrecognized node type: n8n-nodes-argyle.argyleTrigger') },
		]);
		expect(await world.client.executions(workflow.id)).toHaveLength(2);
		expect(subscriptions()).toEqual(before);
	}, 120_000);

	it('leaves it there also when the workflow is unpublished', async () => {
		const before = subscriptions();
		await world.client.unpublish(workflow.id);
		expect(await deliver()).toMatchObject([{ status: 404 }]);
		expect(subscriptions()).toEqual(before);
	}, 120_000);

	it('is cleared away by installing it again, publishing and unpublishing', async () => {
		await world.restart({ whileStopped: () => installPackage(world.n8n.userFolder) });
		await world.client.publish(workflow);
		expect(subscriptions()).toHaveLength(1);
		expect(await deliver()).toEqual(TAKEN);
		await world.client.unpublish(workflow.id);
		expect(subscriptions()).toEqual([]);
	}, 120_000);
});
