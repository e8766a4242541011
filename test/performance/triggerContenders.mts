import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import type { ArgyleConnection } from '../support/n8n/connectArgyle.mts';
import { argyleTrigger, n8nNode } from '../support/n8n/nodes.mts';
import { root } from '../support/paths.mts';
import type { TriggerContender } from './contender.mts';

const WEBHOOK_SECRET = 'a1'.repeat(32);

const formBody = (userForm: string) =>
	eventBody('user_forms.submitted', 'Forms', { account: randomUUID(), user: randomUUID(), user_form: userForm });

export function argyleContender(
	{ argyle, credential }: Pick<ArgyleConnection, 'argyle' | 'credential'>,
	options: Record<string, unknown> = {},
): TriggerContender {
	return {
		name: 'Argyle Trigger',
		nodes: [argyleTrigger(credential, { options })],
		deliveriesOf(eventId) {
			argyle.storeForm({ id: eventId });
			return [...argyle.subscriptions.values()].map(({ url, secret }) => {
				const body = formBody(eventId);
				return { url, body, headers: { 'X-Argyle-Signature': sign(body, String(secret)) } };
			});
		},
	};
}

/** Copies the no-op trigger into n8n's folder of installed packages. */
export function installNoOpTrigger(userFolder: string): void {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-no-op');
	cpSync(join(root, 'test', 'performance', 'noOpTrigger'), folder, { recursive: true });
}

/** Accepts every call and does nothing with it: no trigger can be faster. */
export function noOpContender(origin: string): TriggerContender {
	const type = 'n8n-nodes-no-op.noOpTrigger';
	const trigger = { ...n8nNode('No-Op Trigger', '', {}, 2), type, webhookId: randomUUID() };
	const url = `${origin}/webhook/${trigger.webhookId}/webhook`;
	return {
		name: 'no-op trigger',
		nodes: [trigger],
		deliveriesOf: (eventId) => [{ url, body: formBody(eventId), headers: {} }],
	};
}

/** n8n's Webhook node with the signature checked by its Crypto and If nodes, as a user would build it. */
export function webhookContender(origin: string): TriggerContender {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, options: { rawBody: true } };
	const webhook = { ...n8nNode('Webhook', 'webhook', parameters, 2), webhookId: path };
	const hash = { action: 'hmac', type: 'SHA512', secret: WEBHOOK_SECRET, dataPropertyName: 'expected' };
	const crypto = n8nNode('Crypto', 'crypto', { ...hash, binaryData: true, binaryPropertyName: 'data' });
	const isEqual = {
		leftValue: '={{ $json.expected }}',
		rightValue: "={{ $('Webhook').item.json.headers['x-argyle-signature'] }}",
		operator: { type: 'string', operation: 'equals' },
	};
	const conditions = { options: { version: 2 }, conditions: [isEqual], combinator: 'and' };
	return {
		name: 'Webhook + Crypto + If',
		nodes: [webhook, crypto, n8nNode('If', 'if', { conditions }, 2.2)],
		deliveriesOf(eventId) {
			const body = formBody(eventId);
			const headers = { 'X-Argyle-Signature': sign(body, WEBHOOK_SECRET) };
			return [{ url: `${origin}/webhook/${path}`, body, headers }];
		},
	};
}
