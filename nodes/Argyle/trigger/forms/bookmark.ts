import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { readState, type RegisteredSubscription, type TriggerState } from '../staticData';
import { triggerMemory, type TriggerContext } from '../triggerMemory';

export function registrationOf(client: ArgyleClient, url: string, { id }: Subscription): RegisteredSubscription {
	return { id, url, account: client.account, environment: client.environment.label };
}

/** As this process knows it, else as static data says. */
export function lastRegistration(context: TriggerContext): RegisteredSubscription | undefined {
	return triggerMemory(context).registered ?? readState(context.getWorkflowStaticData('node')).registered;
}

/** What an execution may have to save, because n8n gives a worker no static data: the newest that is known here. */
export function stateToSend(context: TriggerContext): Omit<TriggerState, 'startedForms'> {
	const memory = triggerMemory(context);
	const stored = readState(context.getWorkflowStaticData('node'));
	const bookmarks = [memory.bookmark, stored.bookmark].filter((time) => time !== undefined);
	return {
		registered: memory.registered ?? stored.registered,
		bookmark: bookmarks.length === 0 ? undefined : Math.max(...bookmarks),
	};
}

/** When the service created the subscription, by its own clock. */
export function creationTime({ created_at: createdAt }: Subscription): number {
	const time = Date.parse(String(createdAt));
	return Number.isNaN(time) ? Date.now() : time;
}

/**
 * From when on forms start the workflow, in milliseconds since 1970. A bookmark of another account or environment
 * counts for nothing here: there, forms start the workflow from when on it was registered. Another key of the same
 * account shows the subscription that was registered last. Undefined when only a new subscription can tell.
 */
export function bookmarkIn(
	client: ArgyleClient,
	last: RegisteredSubscription | undefined,
	own: Subscription[],
	kept: Subscription | undefined,
	bookmark: number | undefined,
): number | undefined {
	if (last === undefined || last.account === client.account || own.some(({ id }) => id === last.id)) return bookmark;
	return kept === undefined ? undefined : Math.max(bookmark ?? -Infinity, creationTime(kept));
}
