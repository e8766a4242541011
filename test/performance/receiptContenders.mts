import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateReceipt, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import type { N8nFixture } from '../support/n8n/fixture.mts';
import type { ReceiptService } from './fakeReceipts.mts';

/** One way to fetch receipts. */
export interface ReceiptSide {
	name: string;
	/** Fetches so many; gives how many failed. */
	fetch(count: number): Promise<number>;
}

/** A published workflow of n8n: a webhook takes a list of users, and the node fetches the receipt of each. */
async function workflowSide(world: N8nFixture, name: string, node: SavedNode): Promise<ReceiptSide> {
	const path = randomUUID();
	// n8n answers at the end: asking it ten times a second whether it has come fills its memory faster than the receipts do.
	const atTheEnd = { responseMode: 'lastNode', responseData: 'noData' };
	const webhook: SavedNode = {
		...n8nNode('Webhook', 'webhook', { httpMethod: 'POST', path, ...atTheEnd, options: {} }, 2),
		webhookId: path,
	};
	const split = n8nNode('Split Out', 'splitOut', { fieldToSplitOut: 'body.users', options: {} });
	const fetching = { ...node, name: 'Fetch', onError: 'continueRegularOutput' };
	const nodes = [webhook, split, fetching];
	const workflow = await world.client.createWorkflow(name, nodes, inARow(nodes));
	await world.client.publish(workflow);
	let runs = 0;
	return {
		name,
		async fetch(count) {
			const users = Array.from({ length: count }, () => ({ user: randomUUID() }));
			const response = await fetch(`${world.n8n.origin}/webhook/${path}`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify({ users }),
			});
			if (!response.ok) throw new Error(`${name} ended with ${response.status}`);
			const [latest] = await world.client.waitForExecutions(workflow.id, ++runs);
			if (latest?.status !== 'success') throw new Error(`${name} ended with ${latest?.status}`);
			const { output } = await world.client.execution(latest.id);
			return (output.Fetch ?? []).filter(({ binary }) => binary?.data === undefined).length;
		},
	};
}

/** The Argyle node as it comes. */
export async function argyleReceipts(world: N8nFixture, service: ReceiptService): Promise<ReceiptSide> {
	const fields = { environment: 'custom', baseUrl: service.origin, apiKeyId: 'id', apiKeySecret: 'secret' };
	const credential = await world.client.createCredential('Argyle', 'argyleApi', fields);
	return await workflowSide(world, 'Argyle node', generateReceipt(credential, '={{ $json.user }}'));
}

/** The same items through a node that does nothing: what n8n itself needs for them. */
export async function noReceipts(world: N8nFixture): Promise<ReceiptSide> {
	return await workflowSide(world, 'No Operation node', n8nNode('Fetch', 'noOp'));
}

/** n8n's HTTP Request node, as it comes or with batches set by hand. */
export async function httpReceipts(
	world: N8nFixture,
	service: ReceiptService,
	batch?: { batchSize: number; batchInterval: number },
): Promise<ReceiptSide> {
	const credential = await world.client.createCredential('Basic', 'httpBasicAuth', { user: 'id', password: 'secret' });
	const parameters = {
		method: 'POST',
		url: `${service.origin}/v2/receipts`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBasicAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify({ user: $json.user }) }}',
		options: {
			response: { response: { responseFormat: 'file', outputPropertyName: 'data' } },
			...(batch === undefined ? {} : { batching: { batch } }),
		},
	};
	const node = { ...n8nNode('Fetch', 'httpRequest', parameters, 4.2), credentials: { httpBasicAuth: credential } };
	const how = batch === undefined ? 'as it comes' : `${batch.batchSize} every ${batch.batchInterval} ms`;
	return await workflowSide(world, `HTTP Request node, ${how}`, node);
}

/** A bare loop at the pace, that puts each receipt into a file: what nothing in n8n can be faster than. */
export function bareLoop(service: ReceiptService, perSecond: number): ReceiptSide {
	return {
		name: `a bare undici loop at ${perSecond} a second`,
		async fetch(count) {
			const folder = mkdtempSync(join(tmpdir(), 'receipts-'));
			let failed = 0;
			async function one(index: number): Promise<void> {
				const response = await fetch(`${service.origin}/v2/receipts`, {
					method: 'POST',
					headers: { 'Content-Type': 'application/json' },
					body: JSON.stringify({ user: randomUUID() }),
				});
				if (!response.ok) failed++;
				else await writeFile(join(folder, `${index}.pdf`), Buffer.from(await response.arrayBuffer()));
			}
			const startedAt = performance.now();
			const all: Array<Promise<void>> = [];
			for (let index = 0; index < count; index++) {
				await wait(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
				all.push(one(index));
			}
			await Promise.all(all);
			rmSync(folder, { recursive: true });
			return failed;
		},
	};
}
