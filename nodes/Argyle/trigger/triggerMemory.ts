import type { IDataObject } from 'n8n-workflow';

import { isWithin } from '../utils/elapsed';
import { LruMap } from '../utils/lruMap';
import type { RegisteredSubscription } from './staticData';

/** More than n8n can run. */
const MAX_TRIGGERS = 10_000;

/** Of each trigger. One that is forgotten costs an execution that ends at the trigger. */
const MAX_FORMS = 5_000;

/** What this n8n process knows of one trigger, until it restarts. */
export interface TriggerMemory {
	/** The production URL while the trigger is published. */
	publishedUrl?: string;
	/** The URL while a person listens for a test event. */
	testUrl?: string;
	/** As `TriggerState.registered`. */
	registered?: RegisteredSubscription;
	/** As `TriggerState.bookmark`. */
	bookmark?: number;
	/** Forms of which this process stored or started an execution. */
	readonly forms: LruMap<true>;
	/** Those whose execution began in this process, or was said by static data to have begun. */
	readonly startedForms: LruMap<true>;
	/** How many of them static data may not have yet. */
	unnotedForms: number;
}

/** What this process knows of the subscription to a URL. */
interface SubscriptionMemory {
	/** The only one, unless another process changes that. */
	id?: string;
	/** When the service certainly had none any more, in milliseconds since 1970. */
	removedAt?: number;
}

/** n8n registers a changed trigger again right after it removed it. */
const JUST_REMOVED_MS = 5_000;

const triggers = new LruMap<TriggerMemory>(MAX_TRIGGERS);

const subscriptions = new LruMap<SubscriptionMemory>(MAX_TRIGGERS);

/** What all contexts of n8n know of a trigger. */
export interface TriggerContext {
	getNode(): { id: string };
	getWorkflow(): { id?: string };
	getWorkflowStaticData(type: string): IDataObject;
}

/** A node's ID alone is copied along with its workflow. */
export function triggerKey(context: TriggerContext): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

export function triggerMemory(context: TriggerContext): TriggerMemory {
	const key = triggerKey(context);
	const existing = triggers.get(key);
	if (existing !== undefined) return existing;
	const created = {
		forms: new LruMap<true>(MAX_FORMS),
		startedForms: new LruMap<true>(MAX_FORMS),
		unnotedForms: 0,
	};
	triggers.set(key, created);
	return created;
}

/** Whether an execution for the form was stored or has begun. */
export function isKnownForm({ forms, startedForms }: TriggerMemory, id: string): boolean {
	return forms.get(id) === true || startedForms.get(id) === true;
}

/** Whether another trigger of this process is published with the URL: a pasted node keeps its webhook ID. */
export function isPublishedElsewhere(context: TriggerContext, url: string): boolean {
	const own = triggerMemory(context);
	return triggers.values().some((trigger) => trigger !== own && trigger.publishedUrl === url);
}

export function rememberSubscription(url: string, id: string | undefined): void {
	subscriptions.set(url, { id });
}

export function rememberRemoval(url: string, now: number): void {
	subscriptions.set(url, { removedAt: now });
}

export function rememberedSubscription(url: string): string | undefined {
	return subscriptions.get(url)?.id;
}

/** Whether the service need not be searched, while which events would be lost. */
export function wasJustRemoved(url: string, now: number): boolean {
	const removedAt = subscriptions.get(url)?.removedAt;
	return removedAt !== undefined && isWithin(JUST_REMOVED_MS, removedAt, now);
}
