import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, type CredentialRef, n8nNode } from '../support/n8n/nodes.mts';
import { webhookUrlVariable } from '../support/n8n/selectedVersion.mts';
import { until } from '../support/n8n/until.mts';

const PUBLIC = 'https://hooks.example.com';
const EDITOR = 'https://n8n.corp.example.com';

let fixture: N8nFixture;
let argyle: FakeArgyle;
let credential: CredentialRef;

beforeAll(async () => {
	fixture = await startN8nFixture({ env: { N8N_EDITOR_BASE_URL: EDITOR } });
	({ argyle, credential } = await fixture.connectArgyle());
});
afterAll(async () => await fixture.stop());

/** What a published trigger and a test of it register at Argyle. */
async function registeredUrls(): Promise<string[]> {
	const trigger = argyleTrigger(credential);
	const workflow = await fixture.client.publishNew('Public address', [trigger, n8nNode('Done', 'noOp')]);
	await fixture.client.run(workflow.id, 'Argyle Trigger');
	await until('both are registered', 120_000, async () => (argyle.subscriptions.size === 2 ? true : undefined));
	const urls = [...argyle.subscriptions.values()].map(({ url }) => url.replace(trigger.webhookId ?? '', '<id>'));
	await fixture.client.stopListening(workflow.id);
	await fixture.client.unpublish(workflow.id);
	await until('both are removed', 120_000, async () => (argyle.subscriptions.size === 0 ? true : undefined));
	return urls;
}

const urlsAt = (production: string, test: string) => [
	`${production}/webhook/<id>/webhook`,
	`${test}/webhook-test/<id>/webhook`,
];

it("with the old WEBHOOK_URL and an editor elsewhere, a published trigger is at the public address, its test at the editor's", async () => {
	await fixture.restart({ env: { WEBHOOK_URL: PUBLIC } });
	expect(await registeredUrls()).toEqual(urlsAt(PUBLIC, EDITOR));
});

it("with n8n's own name for it and an editor elsewhere, both are at the public address, where n8n has such a name", async () => {
	await fixture.restart({ env: { WEBHOOK_URL: '', [webhookUrlVariable]: PUBLIC } });
	expect(await registeredUrls()).toEqual(urlsAt(PUBLIC, webhookUrlVariable === 'WEBHOOK_URL' ? EDITOR : PUBLIC));
});
