import { LATENESS_MS } from '../../api/creationOrder';
import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { MAX_SAVED, MAX_UNLISTED } from './limits';
import { byAge, countUpToBookmark, type ListedRecord, wholeMilliseconds } from './listedRecord';
import type { SavedState } from './savedState';
import { isSilent, type ListedStart, move, newStart, setListed, type Start } from './start';
import { DELIVERY_MS, MAX_EVENT_AGE_MS } from './timing';

type Progress = Pick<SavedState, 'bookmark' | 'started'>;

/**
 * The events that may start the workflow of one trigger, each once. A *start* is such an event, in one of these states:
 *
 *     idle ──queue──▶ waiting ──ask──▶ asked ──run──▶ running ──finish──▶ done
 *      ▲                 │               │               │
 *      └─────────────────┴──────lose─────┴───────────────┘
 *
 * - idle: no execution is known. If Argyle's list shows it, it counts as missed when no delivery can come any more.
 * - waiting: its execution waits in the queue.
 * - asked: n8n was asked for an execution, or has stored the execution of its delivery.
 * - running: an execution of this process completes it.
 * - done: n8n's processed values have it. It has started the workflow, or never will. No other state follows.
 *
 * A start is lost when n8n could not store its execution, dropped it, or said nothing of it for too long, or when it
 * failed in the trigger. A delivery can come at any time, even before the list shows its record. It moves a start from
 * an earlier state to asked or running. n8n may tell late that an execution has ended, so any start can become done.
 */
export class Starts {
	/** What the list has shown, oldest first. */
	private listed: ListedStart[] = [];

	private readonly listedByKey = new Map<string, Start>();

	private readonly unlisted = new LruMap<Start>(MAX_UNLISTED);

	/** Starts up to this time are forgotten. If a list later shows a record from before, it is ignored. */
	private forgottenTo = -Infinity;

	/** When the newest record was created. If that is in the future, the time by Argyle's clock counts. */
	private newest = -Infinity;

	/** Starts whose records were created at this time or later are not forgotten yet. */
	private heldFrom = Infinity;

	/** The keys of the events that had started the workflow when n8n was stopped, or were there when it was published. */
	private doneBefore = new Set<string>();

	private unsaved = 0;

	/** Forgets everything. */
	reset(): void {
		this.unlisted.clear();
		this.unsaved = 0;
		this.resume({});
	}

	/** Only what comes after the bookmark counts, without what started before. What this process received stays known. */
	resume({ bookmark = -Infinity, started = [] }: Progress): void {
		this.listed = [];
		this.listedByKey.clear();
		this.forgottenTo = bookmark;
		this.newest = -Infinity;
		this.heldFrom = Infinity;
		this.doneBefore = new Set(started);
	}

	/** Keeps all starts from `happenedAt` on, because events of that time may still be found much later. */
	hold(happenedAt: number): void {
		this.heldFrom = happenedAt;
	}

	/** Adds what a reading of the list has shown, when Argyle's clock showed `serviceTime`. */
	list(records: readonly ListedRecord[], serviceTime: number, now: number): void {
		// A record can be dated in the future, and would make all others too old.
		for (const { happenedAt } of records) this.newest = Math.max(this.newest, Math.min(happenedAt, serviceTime));
		for (const record of records) {
			if (this.listedByKey.has(record.key)) continue;
			const start = this.unlisted.get(record.key) ?? newStart(this.doneBefore.has(record.key) ? 'done' : 'idle', now);
			this.unlisted.delete(record.key);
			if (record.happenedAt <= this.forgottenTo || this.isTooOld(record)) continue;
			this.listedByKey.set(record.key, start);
			this.listed.push(setListed(start, record));
		}
		this.listed.sort(({ listed: one }, { listed: other }) => byAge(one, other));
	}

	/** The events that have not started the workflow and are not about to, the oldest first. */
	missing(): ListedRecord[] {
		const isMissing = ({ state, listed }: ListedStart) => state === 'idle' && !this.isTooOld(listed);
		return this.listed.filter(isMissing).map(({ listed }) => listed);
	}

	/** Whether the event's delivery may still come: it is young by Argyle's clock, and new to this process. */
	isOnItsWay({ key, happenedAt, isUndated = false }: ListedRecord, serviceTime: number, now: number): boolean {
		const start = this.find(key);
		const isYoung = isUndated || serviceTime - happenedAt < DELIVERY_MS;
		return isYoung && start !== undefined && isWithin(DELIVERY_MS, start.knownSince, now);
	}

	get(key: string): Readonly<Start> | undefined {
		return this.find(key);
	}

	/** Whether the event needs no other execution: one was asked for, runs, or has started the workflow. */
	hasExecution(key: string): boolean {
		return ['asked', 'running', 'done'].includes(this.find(key)?.state ?? 'idle');
	}

	/** The keys of events that a list of the account has shown. */
	get shownKeys(): Set<string> {
		return new Set([...this.listedByKey.keys(), ...this.doneBefore]);
	}

	/** A list of the account shows this event, which was there before the publish. */
	addDone(key: string): void {
		this.doneBefore.add(key);
	}

	/** How many of the events that a list has shown are about to start the workflow. */
	get pendingCount(): number {
		return this.listed.filter(({ state }) => state !== 'idle' && state !== 'done').length;
	}

	markMayHaveRun(key: string): void {
		const start = this.find(key);
		if (start !== undefined) start.mayHaveRun = true;
	}

	queue(key: string, now: number): void {
		move(this.findOrAdd(key, now), 'waiting', now);
	}

	/** Has no effect on a start that has an execution: that of a delivery may run before the delivery is answered. */
	ask(key: string, now: number): void {
		if (!this.hasExecution(key)) move(this.findOrAdd(key, now), 'asked', now);
	}

	/** Two executions may run for one start; n8n's processed values let only one go on. */
	run(key: string, now: number): void {
		if (this.find(key)?.state !== 'done') move(this.findOrAdd(key, now), 'running', now);
	}

	/** Has no effect on a start that is forgotten: n8n may tell late that its execution has ended. */
	finish(key: string, now: number): void {
		const start = this.find(key);
		if (start === undefined || start.state === 'done') return;
		move(start, 'done', now);
		this.unsaved++;
	}

	/** Makes sure that the event never starts the workflow. */
	skip(key: string): void {
		const start = this.findOrAdd(key, 0);
		if (start.state !== 'done') move(start, 'done', 0);
	}

	/** The event has no execution after all. Has no effect once the start is done. */
	lose(key: string, now: number, because?: Start['lostBecause']): void {
		const start = this.find(key);
		if (start === undefined || start.state === 'idle' || start.state === 'done') return;
		if (because === 'dropped' || because === 'failed') start.usedKeys++;
		move(start, 'idle', now);
		start.lostBecause = because ?? start.lostBecause;
	}

	/**
	 * n8n dropped the execution, because it has one with this deduplication key, for which a process of before has asked.
	 * That one may have crashed.
	 */
	loseDropped(key: string, now: number): void {
		if (this.find(key)?.state !== 'asked') return;
		this.markMayHaveRun(key);
		this.lose(key, now, 'dropped');
	}

	/** Loses the starts of which n8n says nothing. The first time, its key counts as used. */
	loseSilent(now: number): void {
		for (const start of this.listed) {
			if (!isSilent(start, now)) continue;
			start.usedKeys ||= 1;
			this.lose(start.listed.key, now, 'silent');
		}
	}

	/** Forgets done starts, oldest first, as long as no list can show an older record late. */
	advance(): void {
		const limit = this.newest - LATENESS_MS;
		const isLate = (start: ListedStart) =>
			!this.isSettled(start) || start.listed.happenedAt > limit || start.listed.happenedAt >= this.heldFrom;
		const lateFrom = this.listed.findIndex(isLate);
		this.forgetFirst(wholeMilliseconds(this.listed, lateFrom === -1 ? this.listed.length : lateFrom));
	}

	/** What static data keeps: see `countUpToBookmark`. */
	get progress(): Progress {
		const firstOpen = this.listed.findIndex((start) => !this.isSettled(start));
		const doneCount = firstOpen === -1 ? this.listed.length : firstOpen;
		const passed = countUpToBookmark(this.listed, doneCount, this.heldFrom);
		const last = this.listed.at(passed - 1)?.listed.happenedAt;
		const bookmark = passed === 0 || last === undefined || last > this.newest ? this.forgottenTo : last;
		const isDone = ({ state }: Start) => state === 'done';
		const done = this.listed
			.slice(passed)
			.filter(isDone)
			.map(({ listed }) => listed.key);
		// A list may show these only in a scan. What is not read yet may be shown by the next reading.
		const isLater = ({ since }: Start) => since > Math.max(bookmark, 0);
		const others = this.unlisted.pairs().flatMap(([key, start]) => (isDone(start) && isLater(start) ? [key] : []));
		const started = [...(this.newest === -Infinity ? this.doneBefore : []), ...others, ...done].slice(-MAX_SAVED);
		return { ...(bookmark > -Infinity && { bookmark }), started };
	}

	/** How many starts are done since the last save. Until then, only n8n's processed values know of them. */
	get unsavedCount(): number {
		return this.unsaved;
	}

	/** Static data has what was known when `count` starts were not saved yet. */
	onSaved(count: number): void {
		this.unsaved = Math.max(0, this.unsaved - count);
	}

	/** Events up to this time need not be read any more. */
	get readFrom(): number {
		return this.forgottenTo;
	}

	/** Events up to this time are not looked for: a week before the newest event that a list has shown, not before now. */
	get tooOldUntil(): number {
		return this.newest - MAX_EVENT_AGE_MS;
	}

	private find(key: string): Start | undefined {
		return this.listedByKey.get(key) ?? this.unlisted.get(key);
	}

	private findOrAdd(key: string, now: number): Start {
		return this.listedByKey.get(key) ?? this.unlisted.getOrAdd(key, () => newStart('idle', now));
	}

	private isTooOld({ happenedAt }: ListedRecord): boolean {
		return happenedAt <= this.tooOldUntil;
	}

	private isSettled({ state, listed }: ListedStart): boolean {
		return state === 'done' || (state === 'idle' && this.isTooOld(listed));
	}

	private forgetFirst(count: number): void {
		const forgotten = this.listed.splice(0, count);
		for (const { listed } of forgotten) this.listedByKey.delete(listed.key);
		this.forgottenTo = Math.max(this.forgottenTo, forgotten.at(-1)?.listed.happenedAt ?? -Infinity);
	}
}
