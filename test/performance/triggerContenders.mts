import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { gitHubSide } from './contender.mts';
import { argyleTrigger, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import type { N8nClient } from '../support/n8n/client.mts';
import { root } from '../support/paths.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { startFakeArgyle } from '../support/fakeArgyle/index.mts';

/** One way to receive events: a published workflow that does nothing more with them. */
export interface DeliverySide {
	name: string;
	workflowId: string;
	/** Sends one event to n8n at an address; gives the status of the answer. */
	send(origin: string): Promise<number>;
	stop(): Promise<void>;
}

const SECRET = 'a1'.repeat(32);

/** Puts the trigger that does nothing into n8n's folder of installed packages. */
export function installNothing(userFolder: string): void {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-nothing');
	cpSync(join(root, 'test', 'performance', 'noOpTrigger'), folder, { recursive: true });
}

const form = () =>
	eventBody('user_forms.submitted', 'Forms', { account: randomUUID(), user: randomUUID(), user_form: randomUUID() });

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
	const answer = await fetch(url, {
		method: 'POST',
		body,
		headers: { 'Content-Type': 'application/json', ...headers },
	});
	await answer.arrayBuffer();
	return answer.status;
}

async function publish(client: N8nClient, name: string, nodes: SavedNode[]): Promise<string> {
	const all = [...nodes, n8nNode('Done', 'noOp')];
	const workflow = await client.createWorkflow(name, all, inARow(all));
	await client.publish(workflow);
	return workflow.id;
}

/** The Argyle Trigger as it comes. */
export async function argyleDeliveries(client: N8nClient): Promise<DeliverySide> {
	const service = await startFakeArgyle({ requestsPerSecond: 1_000 });
	const trigger = argyleTrigger(await client.createCredential('Argyle', 'argyleApi', credentialFor(service)));
	const workflowId = await publish(client, 'Argyle Trigger', [trigger]);
	const [subscription] = service.subscriptions.values();
	return {
		name: 'Argyle Trigger',
		workflowId,
		async send(origin) {
			const body = form();
			const signature = sign(body, String(subscription?.secret));
			return await post(`${origin}/webhook/${trigger.webhookId}/webhook`, body, { 'X-Argyle-Signature': signature });
		},
		stop: async () => await service.stop(),
	};
}

/** A trigger that takes every call and does nothing with it. */
export async function nothingDeliveries(client: N8nClient): Promise<DeliverySide> {
	const trigger: SavedNode = {
		...n8nNode('Nothing Trigger', '', {}, 2),
		type: 'n8n-nodes-nothing.nothingTrigger',
		webhookId: randomUUID(),
	};
	return {
		name: 'a trigger that does nothing',
		workflowId: await publish(client, 'Nothing Trigger', [trigger]),
		send: async (origin) => await post(`${origin}/webhook/${trigger.webhookId}/webhook`, form(), {}),
		stop: async () => {},
	};
}

/** n8n's own GitHub Trigger, which checks a signature too. */
export async function gitHubDeliveries(client: N8nClient): Promise<DeliverySide> {
	const github = await gitHubSide(client, 0, { timeoutMs: 10_000, retryAfterMs: 30_000 });
	return {
		name: "n8n's GitHub Trigger",
		workflowId: await publish(client, github.name, [github.trigger]),
		send: async () => (await github.deliver(randomUUID()))[0]?.status ?? 0,
		stop: github.stop,
	};
}

function webhook2(options: Record<string, unknown>): { trigger: SavedNode; path: string } {
	const path = randomUUID();
	const trigger = { ...n8nNode('Webhook', 'webhook', { httpMethod: 'POST', path, options }, 2), webhookId: path };
	return { trigger, path };
}

/** n8n's Webhook node with no check at all. */
export async function bareWebhook(client: N8nClient): Promise<DeliverySide> {
	const { trigger, path } = webhook2({});
	return {
		name: 'Webhook 2, no check',
		workflowId: await publish(client, 'Webhook', [trigger]),
		send: async (origin) => await post(`${origin}/webhook/${path}`, form(), {}),
		stop: async () => {},
	};
}

/** n8n's Webhook node, and the check made with its Crypto node, as a person would build it. */
export async function checkedWebhook(client: N8nClient): Promise<DeliverySide> {
	const { trigger, path } = webhook2({ rawBody: true });
	const crypto = n8nNode('Crypto', 'crypto', {
		action: 'hmac',
		binaryData: true,
		binaryPropertyName: 'data',
		type: 'SHA512',
		secret: SECRET,
		dataPropertyName: 'expected',
	});
	const isEqual = {
		leftValue: '={{ $json.expected }}',
		rightValue: "={{ $('Webhook').item.json.headers['x-argyle-signature'] }}",
		operator: { type: 'string', operation: 'equals' },
	};
	const check = n8nNode(
		'If',
		'if',
		{ conditions: { options: { version: 2 }, conditions: [isEqual], combinator: 'and' } },
		2.2,
	);
	return {
		name: 'Webhook 2 + Crypto + If',
		workflowId: await publish(client, 'Webhook with check', [trigger, crypto, check]),
		async send(origin) {
			const body = form();
			return await post(`${origin}/webhook/${path}`, body, { 'X-Argyle-Signature': sign(body, SECRET) });
		},
		stop: async () => {},
	};
}
