// `npm run load:start`: 200 published workflows, n8n started against a service that takes 50 requests a second: on the older path, which
// asks after every subscription at every start, one by one and all at once, and on the default path, which asks after none.
import assert from 'node:assert/strict';
import { argyleTrigger, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import { N8nFixture } from '../support/n8n/fixture.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { eventBody, sign } from '../support/fakeArgyle/event.mts';

const WORKFLOWS = 200;

interface Start {
	ready: number;
	active: number;
	requests: number;
	tooMany: number;
	added: number;
}

async function publishAll(world: N8nFixture, service: FakeArgyle): Promise<SavedNode[]> {
	const credential = await world.client.createCredential('Argyle', 'argyleApi', credentialFor(service));
	const triggers = Array.from({ length: WORKFLOWS }, () => argyleTrigger(credential));
	for (const trigger of triggers) {
		const nodes = [trigger, n8nNode('Done', 'noOp')];
		const workflow = await world.client.createWorkflow(trigger.id, nodes, inARow(nodes));
		await world.client.publish(workflow);
	}
	return triggers;
}

/** Whether a trigger answers as a registered one does; an event that it doesn't listen to starts nothing. */
async function answers(world: N8nFixture, service: FakeArgyle, trigger: SavedNode): Promise<boolean> {
	const url = `${world.n8n.origin}/webhook/${trigger.webhookId}/webhook`;
	const [subscription] = [...service.subscriptions.values()].filter((each) => each.url === url);
	const body = eventBody('accounts.added', 'n8n', {});
	const response = await fetch(url, {
		method: 'POST',
		body,
		headers: { 'Content-Type': 'application/json', 'X-Argyle-Signature': sign(body, String(subscription?.secret)) },
	}).catch(() => undefined);
	return response?.status === 200;
}

/** Starts n8n again and waits until every trigger was asked after, where n8n does that, and all of them answer. */
async function measure(world: N8nFixture, service: FakeArgyle, triggers: SavedNode[], env: Record<string, string>) {
	const before = [...service.subscriptions.keys()];
	service.requests.length = 0;
	const startedAt = Date.now();
	await world.restart('asked', env);
	const ready = Date.now() - startedAt;
	const asksAll = env.N8N_USE_WORKFLOW_PUBLICATION_SERVICE === 'false';
	await until('every subscription was asked after', 300_000, async () => {
		const asked = new Set(service.requests.filter(({ status }) => status === 200).map(({ path }) => path));
		return !asksAll || before.every((id) => asked.has(`/v2/webhooks/${id}`)) ? true : undefined;
	});
	const active = Date.now() - startedAt;
	for (const trigger of triggers)
		await until('the trigger answers', 60_000, async () =>
			(await answers(world, service, trigger)) ? true : undefined,
		);
	assert.deepEqual([...service.subscriptions.keys()], before, 'the subscriptions are the same');
	const result: Start = {
		ready: ready / 1_000,
		active: active / 1_000,
		requests: service.requests.length,
		tooMany: service.requests.filter(({ status }) => status === 429).length,
		added: service.requests.filter(({ method }) => method === 'POST').length,
	};
	return result;
}

const world = await N8nFixture.start('legacy');
const service = await startFakeArgyle({ requestsPerSecond: 50 });
const triggers = await publishAll(world, service);
const older = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' };
const starts: Array<[string, Record<string, string>]> = [
	['older path, one at a time (n8n as it comes)', { ...older, N8N_WORKFLOW_ACTIVATION_BATCH_SIZE: '1' }],
	['older path, all at once', { ...older, N8N_WORKFLOW_ACTIVATION_BATCH_SIZE: '200' }],
	['default path', { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true' }],
];
console.log(`${WORKFLOWS} published workflows, a service that takes 50 requests a second\n`);
console.log('| start | ready, s | all active, s | requests | 429s | subscriptions added |\n|---|---|---|---|---|---|');
for (const [name, env] of starts) {
	const { ready, active, requests, tooMany, added } = await measure(world, service, triggers, env);
	console.log(`| ${name} | ${ready.toFixed(1)} | ${active.toFixed(1)} | ${requests} | ${tooMany} | ${added} |`);
}
await world.end();
await service.stop();
console.log(`\n${starts.length} passed, 0 failed`);
