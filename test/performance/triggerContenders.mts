import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import type { ArgyleConnection } from '../support/n8n/connectArgyle.mts';
import { argyleTrigger, n8nNode } from '../support/n8n/nodes.mts';
import { root } from '../support/paths.mts';
import type { TriggerContender } from './contender.mts';

const formBody = (userForm: string) =>
	eventBody('user_forms.submitted', 'Forms', { account: randomUUID(), user: randomUUID(), user_form: userForm });

export function argyleContender({
	argyle,
	credential,
}: Pick<ArgyleConnection, 'argyle' | 'credential'>): TriggerContender {
	return {
		name: 'Argyle Trigger',
		nodes: [argyleTrigger(credential)],
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
