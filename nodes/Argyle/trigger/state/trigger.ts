import type { IDataObject, INodeCredentials } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { ArgyleClient } from '../../transport/client';
import { LruMap } from '../../utils/lruMap';
import { Notes } from './notes';
import { Publication } from './publication';
import { forgetLook, readState, type SavedState, writeState, writeTestUrl } from './savedState';
import { Starts } from './starts';
import { subscriptionIn, Wish } from './wish';
import { Witness } from './witness';

/** What all contexts of n8n know of a trigger. */
interface TriggerContext {
	getNode(): { id: string; credentials?: INodeCredentials };
	getWorkflow(): { id?: string };
	getWorkflowStaticData(type: string): IDataObject;
	getInstanceId(): string;
}

/** The key has the workflow's ID as well, because a copied workflow keeps the IDs of its nodes. */
const keyOf = (context: TriggerContext) => `${context.getWorkflow().id} ${context.getNode().id}`;

/** An n8n is recognized by its encryption key, because its address may change. */
function ownerOf(context: TriggerContext): string {
	const parts = [context.getInstanceId(), context.getNode().id];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** All that this n8n process knows of one trigger of one workflow. It is kept while the process works with it. */
export class Trigger {
	private static readonly all = new LruMap<Trigger>();

	/** Each function that n8n calls asks for the trigger once, and passes it on. */
	static of(context: TriggerContext): Trigger {
		const key = keyOf(context);
		return Trigger.all.getOrAdd(key, () => new Trigger(key, ownerOf(context)));
	}

	/** As `of`, when this process becomes n8n's leader: what Argyle and static data know is newer than its memory. */
	static ofNewLeader(context: TriggerContext): Trigger {
		const { publication, lastTestUrl } = Trigger.of(context);
		Trigger.all.delete(keyOf(context));
		return Object.assign(Trigger.of(context), { publication, lastTestUrl });
	}

	readonly key: string;
	private readonly owner: string;
	readonly publication = new Publication();
	readonly wish = new Wish();
	readonly starts = new Starts();
	readonly witness = new Witness();
	readonly notes = new Notes();

	private lastTestUrl: string | undefined;

	/** What static data had when this process first met the trigger. */
	private saved: SavedState | undefined;

	private constructor(key: string, owner: string) {
		this.key = key;
		this.owner = owner;
	}

	/** The URL of the last test. It is kept after the test. */
	get testUrl(): string | undefined {
		return this.lastTestUrl;
	}

	beginTest(context: TriggerContext, url: string): void {
		this.lastTestUrl = url;
		writeTestUrl(context.getWorkflowStaticData('node'), url);
	}

	endTest(context: TriggerContext): void {
		writeTestUrl(context.getWorkflowStaticData('node'), undefined);
	}

	/** Whether another trigger of this process is published with the URL: a copied node keeps its webhook ID. */
	isPublishedElsewhere(url: string): boolean {
		return Trigger.all.values().some((trigger) => trigger !== this && trigger.publication.url === url);
	}

	/** Reads, once, what static data has kept over a restart of n8n. From then on, this process knows better. */
	load(context: TriggerContext): SavedState {
		if (this.saved !== undefined) return this.saved;
		const staticData = context.getWorkflowStaticData('node');
		this.saved = readState(staticData);
		forgetLook(staticData);
		// Another trigger of the workflow may save this copy later, so nothing of another n8n stays in it but the name of its
		// subscription, which may send to the same address.
		const boundTo = subscriptionIn(this.foreignSaved?.boundTo);
		if (this.foreignSaved !== undefined) writeState(staticData, { owner: this.owner, ...(boundTo && { boundTo }) });
		return this.saved;
	}

	/** Since when an event counts, for a process that does not watch the trigger: static data may know. */
	sinceOf(context: TriggerContext, event: string): number | undefined {
		if (this.publication.isWatchedHere || this.wish.known !== undefined) return this.wish.sinceOf(event);
		const { owner, since = {} } = readState(context.getWorkflowStaticData('node'));
		return owner === this.owner ? since[event] : undefined;
	}

	/** What static data has kept of this trigger in this n8n. */
	get ownSaved(): SavedState {
		return this.saved?.owner === this.owner ? this.saved : {};
	}

	/** What static data has kept of this trigger in another n8n, from which the workflow was moved. */
	get foreignSaved(): SavedState | undefined {
		return this.saved?.owner === undefined || this.saved.owner === this.owner ? undefined : this.saved;
	}

	/** The ID of the trigger's subscription, as far as this process or static data knows. */
	get subscriptionId(): string | undefined {
		return subscriptionIn(this.wish.known === undefined ? this.ownSaved.boundTo : this.wish.known.boundTo);
	}

	/** As `Publication.isBoot`. */
	isBoot(context: TriggerContext & { getActivationMode(): string }): boolean {
		this.load(context);
		return this.publication.isBoot(context.getActivationMode(), this.ownSaved.boundTo !== undefined);
	}

	/**
	 * The trigger begins anew: nothing from before counts. In all other cases it goes on where it was. It begins anew at a
	 *
	 *     publish   if this process did not take it down within five minutes    goOnOrBegin
	 *     publish   if the key is of an account that it does not know           publish, publishPolling
	 *     look      if the key is of an account that it does not know           recognize, pollEvents   told
	 *     boot      without a subscription, or if that has no creation time     learnWish               told
	 *     boot      if static data names no key of the account, when checking   readKept                told
	 *     boot      if static data is that of another n8n                       learnWish, readKept
	 *
	 * `notes.gap` tells a person from when to when events may not count.
	 */
	begin(): void {
		this.wish.begin();
		this.starts.reset();
		this.notes.gap.take();
	}

	/** Forgets what static data has kept, before what can fail: an n8n that boots would go on there. */
	forgetSaved(context: TriggerContext): void {
		writeState(context.getWorkflowStaticData('node'), { owner: this.owner });
	}

	/** A person publishes: the trigger goes on where it was, or begins anew. `chosen` are the events to be caught up. */
	goOnOrBegin(chosen?: string[]): void {
		if (!this.publication.goesOn) this.begin();
		if (chosen !== undefined) this.wish.keep(chosen);
	}

	/** What is to be kept. Undefined while it is not known since when events count. `client` knows Argyle's time. */
	state(client?: ArgyleClient): SavedState | undefined {
		const { wish, starts, owner } = this;
		if (wish.known === undefined) return undefined;
		const { boundTo, since } = wish.known;
		const lookedAt = client?.toServiceTime(Date.now());
		return { owner, boundTo, since, ...starts.progress, ...(lookedAt !== undefined && { lookedAt }) };
	}

	/**
	 * Puts what this process knows into static data, which n8n saves as a whole. Call this only when n8n has just loaded
	 * static data: later, it would undo what other nodes have saved there meanwhile.
	 */
	save(context: TriggerContext): void {
		const state = this.state();
		if (state !== undefined) writeState(context.getWorkflowStaticData('node'), state);
	}

	/** Up to this time, nothing counts, or everything has started the workflow. */
	get readFrom(): number {
		return Math.max(this.starts.readFrom, this.wish.firstTime);
	}
}
