import { eventOfKey } from '../../api/eventSources';
import type { ArgyleClient } from '../../transport/client';
import type { ArgyleError } from '../../transport/errors';
import { LruMap } from '../../utils/lruMap';
import { type Doubt, OpenDoubt } from './doubt';
import type { ListedRecord, Position } from './listedRecord';
import { Publication } from './publication';
import { ReceivedCalls } from './receivedCalls';
import { Starts } from './starts';
import { type Bookmark, readState, type RegisteredSubscription, type SavedState, writeState } from './staticData';
import { isStartMode, keyOf, ownerOf, type TriggerContext } from './triggerContext';
import { WantedEvents } from './wantedEvents';

/** All that this n8n process knows of one trigger of one workflow. It is kept while the process works with it. */
export class Trigger {
	private static readonly all = new LruMap<Trigger>();

	/** Each function that n8n calls asks for the trigger once, and passes it on. */
	static of(context: TriggerContext): Trigger {
		const key = keyOf(context);
		return Trigger.all.getOrAdd(key, () => new Trigger(key, ownerOf(context)));
	}

	/** As `of`, when this process becomes n8n's leader: what static data has is newer than what this process remembers. */
	static ofNewLeader(context: TriggerContext): Trigger {
		const { publication, testUrl } = Trigger.of(context);
		publication.succeed(publication.url);
		Trigger.all.delete(keyOf(context));
		return Object.assign(Trigger.of(context), { publication, testUrl });
	}

	readonly key: string;
	private readonly owner: string;
	readonly publication = new Publication();
	readonly starts = new Starts();
	readonly calls = new ReceivedCalls();
	registered: RegisteredSubscription | undefined;
	bookmark: Bookmark | undefined;
	firstWantedAt: SavedState['firstWantedAt'];
	private beganAnewAt: SavedState['beganAnewAt'];
	wanted = new WantedEvents();
	doubt: OpenDoubt | undefined;

	/** The URL of the last test. It is kept after the test. */
	testUrl: string | undefined;

	/** When the bookmark began, by Argyle's clock. Undefined once n8n's processed values have all earlier events. */
	beganAt: number | undefined;

	/** Set if an execution has completed events since the last look, or has failed to. `failure` is set if all failed. */
	completion: { failure?: ArgyleError } | undefined;

	/** Why the last look could not read one of Argyle's lists. `list` names its records. */
	listFailure: { list: string; error: ArgyleError } | undefined;

	/** The ID of the credential that is chosen in the published version. A test, or an old execution, may have another. */
	private credential = '';

	/**
	 * If static data has lost the bookmark: the time from which events are looked for, in milliseconds since 1970.
	 * Undefined if no bookmark can have been lost.
	 */
	private lostSince: number | undefined;

	/** The key of an event that a list of the bookmark's account has shown. The event may be an unwanted one. */
	shownKey: string | undefined;

	/** Whether the last call to the own URL has saved the bookmark. With Checking for Events, there is no such call. */
	isSavedByUrl = false;

	/** For how many events n8n was asked for an execution since the bookmark was saved. */
	unsaved = 0;

	/** Whether static data came from another n8n. Then a subscription to the same address may belong to that n8n, too. */
	isImported = false;

	/** Whether this trigger has wanted events in this n8n. */
	private hasBegun = false;

	/** The credential with which static data was loaded. From then on, this process knows better than static data. */
	private loadedCredential: string | undefined;

	private constructor(key: string, owner: string) {
		this.key = key;
		this.owner = owner;
	}

	/** Whether another trigger of this process is published with the URL: a copied node keeps its webhook ID. */
	isPublishedElsewhere(url: string): boolean {
		return Trigger.all.values().some((trigger) => trigger !== this && trigger.publication.url === url);
	}

	/** Loads, once, what static data has kept over a restart of n8n. Called at a start of n8n, and at a publish. */
	load(context: TriggerContext): void {
		this.credential = context.getNode().credentials?.argyleApi?.id ?? '';
		if (this.loadedCredential !== undefined) return;
		this.loadedCredential = this.credential;
		const staticData = context.getWorkflowStaticData('node');
		const saved = readState(staticData);
		const { registered, bookmark, runningAt, isSavedByLook } = saved;
		// Another trigger of the workflow may save this copy much later, when both values would be out of date.
		if (runningAt !== undefined || isSavedByLook === true)
			writeState(staticData, { ...saved, runningAt: undefined, isSavedByLook: false });
		const isOwn = saved.owner === this.owner;
		const isKnown = saved.owner !== undefined || saved.firstWantedAt !== undefined;
		this.registered ??= registered;
		this.firstWantedAt = (isOwn ? saved.firstWantedAt : undefined) ?? (isKnown ? 0 : undefined);
		this.isImported = !isOwn && saved.owner !== undefined;
		if (!isOwn) return;
		this.hasBegun = true;
		this.beganAnewAt = saved.beganAnewAt;
		this.lostSince = this.firstWantedAt;
		this.calls.sentAt ??= saved.sentAt;
		this.calls.runningAt ??= runningAt;
		this.publication.load(saved);
		// If a person chose another credential, the publish with it has made a new bookmark, and this one is out of date.
		if (this.publication.wasUnpublished || bookmark?.credential !== this.credential) return;
		this.bookmark = bookmark;
		this.wanted.since = saved.wantedSince ?? {};
		this.starts.beginAt(bookmark);
	}

	/** Whether n8n calls because it starts, and not because a person publishes. The first look may correct this answer. */
	isStart(context: TriggerContext & { getActivationMode(): string }, isPolling: boolean): boolean {
		const mode = context.getActivationMode();
		if (mode !== 'update') return isStartMode(mode);
		this.load(context);
		return this.publication.startsLate(this.firstWantedAt !== undefined, isPolling);
	}

	/**
	 * Puts what this process knows into static data, which n8n saves as a whole. Call this only when n8n has just loaded
	 * static data: later, it would undo what other nodes have saved there meanwhile. `runningAt` is left out: see `load`.
	 */
	save(context: TriggerContext): void {
		writeState(context.getWorkflowStaticData('node'), { ...this.state, runningAt: undefined });
	}

	get state(): SavedState {
		const { doubt, registered, firstWantedAt, beganAnewAt, hasBegun, wanted, owner } = this;
		const bookmark = this.bookmark && { ...this.bookmark, ...this.starts.progress };
		const { sentAt, runningAt } = this.calls;
		const times = { takenDownAt: this.publication.unwantedSince, sentAt, runningAt, firstWantedAt, beganAnewAt };
		const state = { owner: hasBegun ? owner : undefined, registered, bookmark, wantedSince: wanted.since, ...times };
		return doubt?.withDoubt(state) ?? state;
	}

	/**
	 * Forgets the bookmark, in static data too, because earlier events no longer count: the workflow begins anew, or
	 * nobody wants missed events. Never throws, so that it can be called before what may fail.
	 */
	beginAnew(context: TriggerContext): void {
		this.load(context);
		this.dropBookmark();
		if (this.beganAnewAt !== undefined) this.firstWantedAt ??= 0;
		this.beganAnewAt = Date.now();
		this.save(context);
	}

	private dropBookmark(): void {
		this.bookmark = this.beganAt = this.lostSince = this.doubt = this.shownKey = undefined;
		this.wanted = new WantedEvents();
		this.starts.beginAt({ time: -Infinity });
	}

	/** `isNew` says that a person begins to want events. If not, the bookmark replaces one that was lost. */
	beginBookmark(client: ArgyleClient, { time, key }: Position, isNew: boolean): void {
		const beganAnewAt = client.toServiceTime(Math.min(this.beganAnewAt ?? 0, Date.now()));
		const position = { time: isNew ? time : Math.max(time, beganAnewAt), key };
		this.hasBegun = true;
		this.shownKey = undefined;
		this.bookmark = { ...position, keyDigest: client.keyDigest, credential: this.credential };
		this.firstWantedAt ??= position.time;
		this.beganAt = isNew ? position.time : undefined;
		this.wanted = new WantedEvents();
		this.starts.beginAt(position);
	}

	/** Notes that n8n has started this trigger. If static data does not know the trigger, its bookmark counts as lost. */
	noteStart(): void {
		if (!this.hasBegun) this.lostSince ??= 0;
	}

	/** Whether static data has lost the bookmark of a trigger that was published when n8n stopped. */
	get hasLostBookmark(): boolean {
		return this.bookmark === undefined && this.lostSince !== undefined && !this.publication.wasUnpublished;
	}

	/**
	 * Replaces a bookmark that static data has lost. The new one begins at the earliest time from which events may have
	 * been wanted. If static data does not know the trigger, or another credential was chosen since n8n started, n8n's
	 * processed values have to tell which of the events count.
	 */
	restoreBookmark(client: ArgyleClient, startedAt: number): void {
		const { hasBegun, lostSince, credential, loadedCredential = credential } = this;
		this.beginBookmark(client, { time: lostSince ?? 0 }, false);
		if (credential !== loadedCredential) this.doubt = OpenDoubt.aboutCredential(credential, startedAt);
		else if (!hasBegun || lostSince === undefined) this.doubt = new OpenDoubt('trigger', startedAt);
	}

	resolveDoubt(about: Doubt, askedAt = 0): void {
		if (this.doubt?.isResolvedBy(about, askedAt)) this.doubt = undefined;
	}

	/** The doubt that n8n's processed values have to resolve before the event starts the workflow, if there is one. */
	doubtAbout(event: Pick<ListedRecord, 'key' | 'createdAt' | 'begunAt'>): Doubt | undefined {
		if (this.doubt?.isAbout(event)) return this.doubt.about;
		return this.wanted.isDoubtful(event) ? eventOfKey(event.key) : undefined;
	}

	/** Notes what a look has found. Argyle's clock then showed a time from `serviceTime` to `latestServiceTime`. */
	noteShown(events: readonly ListedRecord[], serviceTime: number, latestServiceTime: number): void {
		this.shownKey = events.at(0)?.key ?? this.shownKey;
		this.doubt?.noteShown(events, serviceTime, latestServiceTime);
	}

	/** Notes which events are caught up, by their names. `startedAt` is n8n's start, if this is one, by n8n's clock. */
	want(events: string[], client: ArgyleClient, startedAt?: number): void {
		const now = client.toServiceTime(Date.now());
		this.wanted.want(events, this.bookmark?.time ?? now, now, startedAt && client.toServiceTime(startedAt));
	}

	moveBookmark(): void {
		if (this.bookmark !== undefined) Object.assign(this.bookmark, this.starts.advance());
	}

	/**
	 * Returns whether there is a bookmark that counts in the client's account, and notes the client's key in it. If the
	 * key is new, `isSameAccount` looks for something known in the account. If it finds nothing, another credential means
	 * another account, and the bookmark is dropped. With the same credential, n8n's processed values have to tell.
	 */
	async keepBookmark({ keyDigest }: ArgyleClient, isSameAccount: () => Promise<boolean>): Promise<boolean> {
		const { bookmark, credential } = this;
		if (bookmark === undefined) return false;
		if (bookmark.keyDigest === keyDigest) return true;
		if (!(await isSameAccount())) {
			if (bookmark.credential !== credential) {
				this.dropBookmark();
				return false;
			}
			this.doubt = new OpenDoubt('account', Date.now(), bookmark);
		}
		Object.assign(bookmark, { keyDigest, credential });
		// The bookmark may have been dropped meanwhile.
		return this.bookmark === bookmark;
	}
}
