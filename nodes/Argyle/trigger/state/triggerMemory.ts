import type { IDataObject } from 'n8n-workflow';

import type { ArgyleError } from '../../transport/errors';
import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { KnownForms } from './knownForms';
import type { Bookmark, RegisteredSubscription } from './staticData';
import { REPUBLISH_MS } from './timing';

/** More triggers than n8n can run. */
const MAX_TRIGGERS = 10_000;

/** What this n8n process knows of one trigger, until it restarts. */
export interface TriggerMemory {
	/** The production URL while the trigger is published. */
	publishedUrl?: string;
	/** The URL while a person listens for a test event. */
	testUrl?: string;
	/** As `TriggerState.registered`. */
	registered?: RegisteredSubscription;
	/** As `TriggerState.bookmark`. */
	bookmark?: Bookmark;
	/** Whether this process knows better than static data whether there is a bookmark. */
	hasReadState: boolean;
	/** While this process watches the trigger. */
	watch?: AbortSignal;
	/** When n8n took the trigger down, in milliseconds since 1970; undefined while it is published. */
	takenDownAt?: number;
	/** Whether the last publish failed, so that it is down though a person wants it published. */
	hasFailedToPublish: boolean;
	/** Whether executions run in another process, as in queue mode. */
	runsElsewhere: boolean;
	readonly forms: KnownForms;
	/** How many executions of forms wait for n8n's store of processed values. */
	waitingExecutions: number;
	/** How many have begun since one of them saved the state. */
	unsavedStarts: number;
	/**
	 * What became of the forms that were completed since the last look: a failure only when none was completed.
	 * Undefined without any form.
	 */
	completion?: { failure?: ArgyleError };
}

/** Whether n8n has published the trigger in this process. */
const isPublishedHere = (memory: TriggerMemory): boolean => watchesHere(memory) || memory.publishedUrl !== undefined;

/** Notes when the trigger came down, once nothing of it is up any more. */
export function noteTakenDown(memory: TriggerMemory): void {
	if (!isPublishedHere(memory)) memory.takenDownAt ??= Date.now();
}

/** Notes whether a publish succeeds, and resolves or rejects as it does. */
export async function notePublish<T>(memory: TriggerMemory, publish: Promise<T>): Promise<T> {
	memory.hasFailedToPublish = true;
	const result = await publish;
	memory.hasFailedToPublish = false;
	memory.takenDownAt = undefined;
	return result;
}

/**
 * Whether a publish is a new beginning: the workflow was unpublished, or the trigger was disabled or taken out by a
 * version in a workflow that stays published. n8n says `activate` only after an unpublish, and takes a changed trigger
 * down for a moment, too. Each start of n8n calls for every trigger that is published: of one that this process does
 * not know, nobody wanted anything.
 */
export function isNewBeginning(context: TriggerContext & { getActivationMode(): string }): boolean {
	const mode = context.getActivationMode();
	if (mode !== 'update') return ['activate', 'create'].includes(mode);
	const memory = triggerMemory(context);
	if (isPublishedHere(memory) || memory.hasFailedToPublish) return false;
	return memory.takenDownAt === undefined || !isWithin(REPUBLISH_MS, memory.takenDownAt, Date.now());
}

/** It is n8n's main process then, and knows best what is to be kept. */
export const watchesHere = ({ watch }: TriggerMemory): boolean => watch !== undefined;

const triggers = new LruMap<TriggerMemory>(MAX_TRIGGERS);

/** What all contexts of n8n know of a trigger. */
export interface TriggerContext {
	getNode(): { id: string };
	getWorkflow(): { id?: string };
	getWorkflowStaticData(type: string): IDataObject;
}

/** With the workflow's ID, because a node's own is copied along with its workflow. */
export function triggerKey(context: TriggerContext): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

export function triggerMemory(context: TriggerContext): TriggerMemory {
	const key = triggerKey(context);
	const existing = triggers.get(key);
	if (existing !== undefined) return existing;
	const created = {
		hasReadState: false,
		runsElsewhere: false,
		hasFailedToPublish: false,
		forms: new KnownForms(),
		waitingExecutions: 0,
		unsavedStarts: 0,
	};
	triggers.set(key, created);
	return created;
}

/** Whether another trigger of this process is published with the URL: a pasted node keeps its webhook ID. */
export function isPublishedElsewhere(context: TriggerContext, url: string): boolean {
	const own = triggerMemory(context);
	return triggers.values().some((trigger) => trigger !== own && trigger.publishedUrl === url);
}

/** Whether n8n calls because it starts, and not because a person publishes. */
export function isStart(context: { getActivationMode(): string }): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}
