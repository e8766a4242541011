import { randomUUID } from 'node:crypto';
import { argyleTrigger, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import type { N8nClient } from '../support/n8n/client.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import type { DeliveryTiming } from '../support/fakeArgyle/deliveries.mts';
import { startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { startGitHub } from './fakeGitHub.mts';
import type { Source } from './eventSource.mts';

/** A trigger, and the stand-in of the service that it registers with. */
export interface Side extends Source {
	name: string;
	trigger: SavedNode;
	/** The trigger with the settings of a round; those of one round and the next differ. */
	changed(round: number): SavedNode;
	/** How many subscriptions there are at this moment. */
	subscriptions(): number;
	stop(): Promise<void>;
}

/** The Argyle Trigger, at a stand-in whose API answers after `latencyMs`. */
export async function argyleSide(client: N8nClient, latencyMs: number, timing: DeliveryTiming): Promise<Side> {
	const { timeoutMs: deliveryTimeoutMs, retryAfterMs } = timing;
	const service = await startFakeArgyle({ requestsPerSecond: 1_000, latencyMs, deliveryTimeoutMs, retryAfterMs });
	const credential = await client.createCredential('Argyle', 'argyleApi', credentialFor(service));
	const options = { skipDuplicates: true };
	const trigger = argyleTrigger(credential, { options });
	const events = [['user_forms.submitted', 'user_forms.removed'], ['user_forms.submitted']];
	return {
		name: 'Argyle Trigger',
		trigger,
		changed: (round) => ({ ...trigger, parameters: { events: events[round % 2], options } }),
		subscriptions: () => service.subscriptions.size,
		deliver: async (form) =>
			await service.deliver('user_forms.submitted', { account: 'a', user: 'u', user_form: form }),
		stop: async () => await service.stop(),
	};
}

/** n8n's own GitHub Trigger, at a stand-in that sends again by Argyle's rule. */
export async function gitHubSide(client: N8nClient, latencyMs: number, timing: DeliveryTiming): Promise<Side> {
	const github = await startGitHub(latencyMs, timing);
	const fields = { server: github.origin, user: 'u', accessToken: 't' };
	const credential = await client.createCredential('GitHub', 'githubApi', fields);
	const by = (value: string) => ({ __rl: true, mode: 'name', value });
	const settings = (events: string[]) => ({ owner: by('o'), repository: by('r'), events, options: {} });
	const trigger: SavedNode = {
		...n8nNode('GitHub Trigger', 'githubTrigger', settings(['push'])),
		credentials: { githubApi: credential },
		webhookId: randomUUID(),
	};
	const events = [['push', 'fork'], ['push']];
	return {
		name: 'GitHub Trigger',
		trigger,
		changed: (round) => ({ ...trigger, parameters: settings(events[round % 2] ?? []) }),
		subscriptions: github.subscriptions,
		deliver: github.deliver,
		stop: github.stop,
	};
}
