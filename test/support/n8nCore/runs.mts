import type { INodeExecutionData } from 'n8n-workflow';
import type { FakeArgyle } from '../fakeArgyle/index.mts';
import { newSubscription } from '../fakeArgyle/webhooks.mts';
import { runArgyle } from './nodeFixture.mts';
import { type OneNode } from './n8nContext.mts';
import { credentialFor } from '../fakeArgyle/credential.mts';

/** Takes an id; gives it as a picker's "By ID" saves it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** The saved parameters of Generate Receipt for a user. */
export function receiptParameters(user: string, more: Record<string, unknown> = {}): OneNode['parameters'] {
	const fixed = { resource: 'receipt', operation: 'generate', userId: byId(user), binaryPropertyName: 'data' };
	return JSON.parse(JSON.stringify({ ...fixed, options: {}, ...more }));
}

/** Runs an operation on webhook subscriptions; gives the node's output. */
export async function runWebhook(
	service: FakeArgyle,
	operation: string,
	parameters: Record<string, unknown>,
	continueOnFail = false,
	items: INodeExecutionData[] = [{ json: {} }],
): Promise<INodeExecutionData[]> {
	const saved = JSON.parse(JSON.stringify({ resource: 'webhook', operation, ...parameters }));
	return await runArgyle(credentialFor(service), { parameters: saved, continueOnFail }, items);
}

/** Puts subscriptions into the service, each a second younger than the one before; every second one has a secret. */
export function fill(service: FakeArgyle, count: number): void {
	for (let index = 0; index < count; index++) {
		const secret = index % 2 ? 'clear' : null;
		const made = newSubscription({ name: `n${index}`, url: 'https://example.com', events: ['*'], secret });
		const created_at = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
		service.subscriptions.set(made.id, { ...made, created_at });
	}
}
