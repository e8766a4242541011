import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { DeliveryAttempt } from '../../support/fakeArgyle/index.mts';
import { eventBody, sign } from '../../support/fakeArgyle/signedEvent.mts';
import type { StoredWorkflow } from '../../support/n8n/workflow.mts';
import type { ArgyleConnection } from '../../support/n8n/connectArgyle.mts';
import { placesOf } from '../../support/n8n/database.mts';
import { type N8nFixture, startN8nFixture } from '../../support/n8n/fixture.mts';
import { argyleTrigger, n8nNode, type SavedNode } from '../../support/n8n/nodes.mts';
import { webhookUrlVariable } from '../../support/n8n/selectedVersion.mts';
import type { Server } from '../../support/n8n/server.mts';
import { until } from '../../support/n8n/until.mts';
import { freeOrigin, startProxy } from './proxyServer.mts';

const EVENT = 'accounts.connected';
const ARGYLE_ADDRESS = '34.27.251.226';

let fixture: N8nFixture;
let proxy: Server;
/** Repeats a delivery later than Argyle's own 30 s: beside other suites n8n may take as long to start again. */
let argyle: ArgyleConnection['argyle'];
let credential: ArgyleConnection['credential'];

beforeAll(async () => {
	const origin = await freeOrigin('http');
	const env = { [webhookUrlVariable]: origin.href, N8N_PROXY_HOPS: '1' };
	fixture = await startN8nFixture({ env });
	proxy = await startProxy('nginx', origin, fixture.n8n.origin);
	({ argyle, credential } = await fixture.connectArgyle({ retryAfterMs: 75_000 }));
});
afterAll(async () => {
	await fixture.stop();
	await proxy.stop();
});

const nodesWith = (trigger: SavedNode) => [trigger, n8nNode('Done', 'noOp')];

async function publish(title: string, options: Record<string, unknown> = {}) {
	const trigger = argyleTrigger(credential, { events: [EVENT], options });
	const nodes = nodesWith(trigger);
	const workflow = await fixture.client.publishNew(title, nodes);
	return { workflow, trigger, url: `http://127.0.0.1:${proxy.port}/webhook/${trigger.webhookId}/webhook` };
}

/** Events, each with an account of its own. */
class Events {
	readonly accounts: string[] = [];

	private readonly deliveries: Array<Promise<DeliveryAttempt[]>> = [];

	deliver(): void {
		const account = `account-${this.accounts.length}`;
		this.accounts.push(account);
		this.deliveries.push(argyle.deliver(EVENT, { account }));
	}

	/** What Argyle was answered to each, after the last retry. */
	async statuses(): Promise<Array<Array<number | null>>> {
		return (await Promise.all(this.deliveries)).map((attempts) => attempts.map(({ status }) => status));
	}
}

async function accountsRun({ id }: StoredWorkflow, atLeast: number): Promise<string[]> {
	const executions = await fixture.client.waitForExecutions(id, atLeast);
	const accounts = executions.map(async (execution) => {
		const { output } = await fixture.client.execution(execution.id);
		return JSON.stringify(output['Argyle Trigger']).match(/account-\d+/)?.[0] ?? 'none';
	});
	return await Promise.all(accounts);
}

it('runs each event once that Argyle delivers while n8n is stopped and starts', async () => {
	const { workflow } = await publish('Stopped');
	const events = new Events();
	const timer = setInterval(() => events.deliver(), 500);
	await fixture.restart().finally(() => clearInterval(timer));
	events.deliver();
	const statuses = (await events.statuses()).map(String);
	expect(new Set(statuses)).toEqual(new Set(['503,200', '200']));
	expect((await accountsRun(workflow, statuses.length)).sort()).toEqual(events.accounts.sort());
	await fixture.client.unpublish(workflow.id);
});

it('runs each event once that Argyle delivers while a changed trigger is published', async () => {
	const { workflow, trigger } = await publish('Published');
	const changed = { ...trigger, parameters: { ...trigger.parameters, events: [EVENT, 'accounts.added'] } };
	const nodes = nodesWith(changed);
	const next = await fixture.client.updateWorkflow(workflow, nodes);
	// n8n takes the address down, and then has the subscription deleted, which takes its time.
	argyle.addFault({ kind: 'slow', delayMs: 5_000, method: 'DELETE' });
	const published = fixture.client.publish(next);
	const isRegistered = () =>
		placesOf(fixture.n8n, String(trigger.webhookId)).some((place) => place.startsWith('webhook_entity.'));
	await until('the address is down', 120_000, async () => (isRegistered() ? undefined : true));
	const events = new Events();
	for (let count = 0; count < 5; count++) events.deliver();
	await published;
	expect(await events.statuses()).toEqual(Array.from({ length: 5 }, () => [503, 200]));
	expect((await accountsRun(workflow, 5)).sort()).toEqual(events.accounts);
	await fixture.client.unpublish(workflow.id);
});

it('lets Only From Argyle see the address of the caller, who claims to be Argyle', async () => {
	const { workflow, url } = await publish('Only From Argyle', { onlyFromArgyle: true });
	const subscription = [...argyle.subscriptions.values()].find((one) => one.url === url);
	const body = eventBody(EVENT, 'n8n', {});
	const headers = {
		'X-Argyle-Signature': sign(body, String(subscription?.secret)),
		'X-Forwarded-For': ARGYLE_ADDRESS,
	};
	const answer = await new Promise((resolve, reject) => {
		request(url, { method: 'POST', localAddress: '127.0.0.2', headers })
			.on('response', (response) => void text(response).then(resolve, reject))
			.on('error', reject)
			.end(body);
	});
	expect(answer).toBe('{"message":"Only Argyle may call this address"}');
	expect(readFileSync(fixture.n8n.logFile, 'utf8')).toContain('because it came from 127.0.0.2 and');
	await fixture.client.unpublish(workflow.id);
});
