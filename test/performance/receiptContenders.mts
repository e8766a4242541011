import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { N8nFixture } from '../support/n8n/fixture.mts';
import { generateReceipt, n8nNode, webhookNode } from '../support/n8n/nodes.mts';
import type { Contender } from './contender.mts';
import type { FakeReceipts } from './fakeReceipts.mts';

/** The rate that the Argyle node keeps to by itself. */
export const OWN_PER_SECOND = 45;

/** Fetches the receipts of users and resolves with how many of them failed. */
export type FetchReceipts = (users: string[]) => Promise<number>;

export const newUsers = (count: number) => Array.from({ length: count }, () => randomUUID());

export async function argyleContender({ client }: N8nFixture, { origin }: FakeReceipts): Promise<Contender> {
	const fields = { environment: 'custom', baseUrl: origin, apiKeyId: 'id', apiKeySecret: 'secret' };
	const credential = await client.createCredential('Argyle', 'argyleApi', fields);
	return { name: 'Argyle node', nodes: [generateReceipt(credential, '={{ $json.user }}')] };
}

/** n8n's HTTP Request node with batches. */
export async function httpContender(
	{ client }: N8nFixture,
	{ origin }: FakeReceipts,
	batch: { batchSize: number; batchInterval: number },
): Promise<Contender> {
	const credential = await client.createCredential('Basic', 'httpBasicAuth', { user: 'id', password: 'secret' });
	const parameters = {
		method: 'POST',
		url: `${origin}/v2/receipts`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBasicAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify({ user: $json.user }) }}',
		options: {
			response: { response: { responseFormat: 'file', outputPropertyName: 'data' } },
			batching: { batch },
		},
	};
	const node = { ...n8nNode('Fetch', 'httpRequest', parameters, 4.2), credentials: { httpBasicAuth: credential } };
	return { name: `HTTP Request node, ${batch.batchSize} every ${batch.batchInterval} ms`, nodes: [node] };
}

/** Publishes a workflow in which a webhook receives a list of users, of whom the contender fetches the receipts. */
export async function publishFetching({ client, n8n }: N8nFixture, contender: Contender): Promise<FetchReceipts> {
	const { name } = contender;
	const path = randomUUID();
	// n8n answers at the end: polling for the execution would fill its memory faster than the receipts do.
	const webhook = webhookNode(path);
	const split = n8nNode('Split Out', 'splitOut', { fieldToSplitOut: 'body.items', options: {} });
	const fetching = contender.nodes.map((node) => ({ ...node, name: 'Fetch', onError: 'continueRegularOutput' }));
	const workflow = await client.publishNew(name, [webhook, split, ...fetching]);
	let executions = 0;
	return async (users) => {
		const response = await fetch(`${n8n.origin}/webhook/${path}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ items: users.map((user) => ({ user })) }),
		});
		if (!response.ok) throw new Error(`${name} ended with ${response.status}`);
		const [latest] = await client.waitForExecutions(workflow.id, ++executions);
		if (latest?.status !== 'success') throw new Error(`${name} ended with ${latest?.status}`);
		const { output } = await client.execution(latest.id);
		return (output.Fetch ?? []).filter(({ binary }) => binary?.data === undefined).length;
	};
}

/** A loop without n8n that keeps to a rate: nothing in n8n can be faster. */
export function fetchingLoop({ origin }: FakeReceipts, requestsPerSecond: number): FetchReceipts {
	return async (users) => {
		const fetchOne = async (user: string, index: number) => {
			await wait((index * 1_000) / requestsPerSecond);
			const response = await fetch(`${origin}/v2/receipts`, { method: 'POST', body: JSON.stringify({ user }) });
			await response.arrayBuffer();
			return response.ok;
		};
		const fetched = await Promise.all(users.map(fetchOne));
		return fetched.filter((isFetched) => !isFetched).length;
	};
}
