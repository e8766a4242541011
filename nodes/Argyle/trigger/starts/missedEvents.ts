import type { IRun, ITriggerFunctions } from 'n8n-workflow';

import { eventOfKey, isTimeMoved, sourceOf } from '../../api/eventSources';
import { ArgyleError } from '../../transport/errors';
import { MAX_UNSAVED } from '../state/limits';
import type { ListedRecord } from '../state/listedRecord';
import { PROCESS_ID, withOrigin } from '../state/itemOrigin';
import { isLeftOut, type TriggerSettings } from '../state/settings';
import type { Starts } from '../state/starts';
import { LOOK_SOON_MS, MAX_EVENT_AGE_MS, SCAN_REACH_MS, SHARED_READING_MS } from '../state/timing';
import type { Trigger } from '../state/trigger';
import type { Wish } from '../state/wish';
import { type EventList, listedEvent } from './eventList';
import { type AskForExecution, executionsOf, failedInTrigger } from './executions';
import { LookReader } from './lookReader';
import { Scan } from './scan';
import { startQueue } from './startQueue';

const tooMany = (records: string) =>
	new ArgyleError(
		`Argyle's list of ${records} is too long to be read to its end`,
		'What happened while n8n was away may not have started this workflow: look for it in the Argyle Console.',
	);

const notStarted = (error: unknown) =>
	new ArgyleError(
		'n8n could not start the workflow for an event',
		`The event is tried again. n8n says: ${error instanceof Error ? error.message : String(error)}`,
		{ isTransient: true },
	);

/**
 * Returns which of the events, by their keys, other processes of n8n have received. From now on, those processes start
 * none of the events in `claimed`.
 */
type AskReceived = (keys: string[], claimed: string[]) => Promise<string[]>;

const keysOf = (events: ListedRecord[]) => events.map(({ key }) => key);

/** Asks other processes which of the missing events they have received. Tells them which of these start here now. */
async function markReceived(
	starts: Starts,
	ask: AskReceived,
	isReady: (event: ListedRecord) => boolean,
): Promise<void> {
	const isReceived = ({ key }: ListedRecord) => starts.isReceived(key);
	const unknown = starts.missing().filter((event) => !isReceived(event));
	if (unknown.length > 0)
		for (const key of await ask(keysOf(unknown), keysOf(unknown.filter(isReady)))) starts.markReceived(key);
}

/** Whether the event is from before the wish, though its record may show a later time one day. */
function mayComeToCount(wish: Wish, event: ListedRecord): boolean {
	const source = sourceOf(eventOfKey(event.key));
	return source !== undefined && isTimeMoved(source) && wish.isBefore(event);
}

/** Starts the workflow for the events that happened since they are wanted and were not delivered. */
export class MissedEvents {
	/** The next look scans the whole list if something was missed. */
	readonly scan: Scan;

	/** The time of the newest event at the first look. Older ones were missed before n8n booted. */
	private backlogTo: number | undefined;

	private failure: ArgyleError | undefined;

	private readonly lists: LookReader;

	private readonly ask: AskForExecution;

	private readonly context: ITriggerFunctions;

	private readonly trigger: Trigger;

	private readonly settings: TriggerSettings;

	private readonly closed: AbortSignal;

	constructor(context: ITriggerFunctions, trigger: Trigger, settings: TriggerSettings, closed: AbortSignal) {
		this.context = context;
		this.trigger = trigger;
		this.settings = settings;
		this.closed = closed;
		this.scan = new Scan(settings.isPolling);
		this.lists = new LookReader(trigger, this.scan);
		this.ask = executionsOf(context);
	}

	/**
	 * Looks for events that count, and queues their executions. `isDelivered` says whether a delivery may still be on its
	 * way. `askReceived` tells which events other processes have received. Returns after how many milliseconds to look
	 * again, if there was no room for all events, or if an event was not delivered yet. Throws ArgyleError when none of
	 * the lists can be read, a list is too long, or n8n can't start the workflow.
	 */
	async look(lists: EventList[], isDelivered: boolean, askReceived?: AskReceived): Promise<number | undefined> {
		const { starts } = this.trigger;
		const tooLong = await this.read(lists);
		const [{ serviceTime }] = lists;
		const now = Date.now();
		const isReady = (event: ListedRecord) => !isDelivered || !starts.isOnItsWay(event, serviceTime, now);
		if (askReceived !== undefined) await markReceived(starts, askReceived, isReady);
		if (this.closed.aborted) return undefined;
		const isReceived = ({ key }: ListedRecord) => starts.isReceived(key);
		// n8n may have forgotten the oldest received events. They would start the workflow again, and push others out.
		for (const { key } of starts.missing().filter(isReceived).slice(0, -MAX_UNSAVED)) starts.skip(key);
		const missing = starts.missing();
		// Until static data is saved again, no more events start than n8n's processed values, its durable store, can keep.
		const room = Math.max(0, MAX_UNSAVED - starts.unsavedCount - starts.pendingCount);
		const ready = missing.filter(isReady);
		const missed = ready.filter((event) => !isReceived(event));
		// Received events have started the workflow, unless their executions were killed. One execution checks all of them,
		// once n8n was asked for all others, which may turn out to be received too.
		const received = missed.length > room ? [] : ready.filter(isReceived).slice(0, room - missed.length);
		this.enqueue([...missed.slice(0, room).map((event) => [event]), received]);
		starts.advance();
		const failure = this.failure ?? (tooLong && tooMany(tooLong.recordType.many));
		this.failure = undefined;
		if (failure !== undefined) throw failure;
		if (ready.length > room) return SHARED_READING_MS;
		const mayComeSoon = ({ key }: ListedRecord) => !starts.isReceived(key) && !starts.wasLost(key);
		return askReceived !== undefined && missing.some(mayComeSoon) ? LOOK_SOON_MS : undefined;
	}

	/**
	 * Asks for an execution that ends at the trigger and saves static data, for when no call to the own URL can do that.
	 * When the execution ends, n8n saves its copy of static data. In queue mode, it saves nothing: after a restart, n8n's
	 * deduplication keys tell what has started the workflow.
	 */
	save(): void {
		const { starts, key } = this.trigger;
		const { unsavedCount } = starts;
		const at = Date.now();
		const item = withOrigin({ event: 'argyle.save', data: {} }, { at, isSaving: true });
		starts.onSaved(unsavedCount);
		const isNotStored = () => starts.onSaved(-unsavedCount);
		void this.ask([item], `argyle ${key} ${PROCESS_ID} saves ${at}`).catch(isNotStored);
	}

	/** Reads the lists, and remembers what they show. Returns a list that may show more events than were read. */
	private async read(lists: EventList[]): Promise<EventList | undefined> {
		const { trigger } = this;
		const { starts, wish } = trigger;
		const isFresh = wish.takeFresh();
		if (isFresh) this.scan.cancel();
		const { unread, refused, scanned } = await this.lists.read(lists);
		const { serviceTime, latestServiceTime } = lists[0];
		const shown = [...lists.flatMap((list) => list.events), ...scanned];
		for (const event of shown) {
			// What a new beginning finds with a date in the future is older than the beginning.
			if ((isFresh && event.createdAt > latestServiceTime) || mayComeToCount(wish, event)) starts.skip(event.key);
		}
		if (refused.length > 0) starts.hold(Math.max(trigger.readFrom, serviceTime - MAX_EVENT_AGE_MS));
		else if (unread.length === 0) starts.hold(this.heldFrom(lists, serviceTime));
		const now = Date.now();
		const isWanted = (event: ListedRecord) => wish.has(event) && !isLeftOut(event, this.settings.options);
		starts.list(shown.filter(isWanted), serviceTime, now);
		starts.giveUp(now);
		this.lists.setReach(lists.filter((list) => !unread.includes(list)));
		this.backlogTo ??= Math.max(...lists.map(({ newestTime }) => newestTime ?? -Infinity));
		return unread.find((list) => !refused.includes(list));
	}

	/** The time from which on no start may be forgotten, because events of that time may still be found. */
	private heldFrom(lists: EventList[], serviceTime: number): number {
		const { wish } = this.trigger;
		const open = lists.filter((list) => list.isUndated).map((list) => list.oldestOpen(wish.firstTime));
		return Math.min(...open, wish.areScanned ? serviceTime - SCAN_REACH_MS : Infinity);
	}

	/** Each group of events has an execution of its own. */
	private enqueue(groups: ListedRecord[][]): void {
		const { starts, key: trigger } = this.trigger;
		const now = Date.now();
		const waiting = groups.flatMap((events) => {
			const [oldest] = events;
			if (oldest === undefined) return [];
			for (const { key } of events) starts.queue(key, now);
			const isBacklog = oldest.createdAt <= Number(this.backlogTo);
			return [{ trigger, isBacklog, happenedAt: oldest.createdAt, start: () => this.start(events) }];
		});
		startQueue.add(waiting);
	}

	private start(queued: ListedRecord[]): Promise<unknown> | undefined {
		const { starts } = this.trigger;
		const now = Date.now();
		// Argyle may have delivered them in the meantime.
		const events = queued.filter(({ key }) => starts.isWaiting(key));
		if (this.closed.aborted) for (const { key } of events) starts.lose(key, now);
		if (this.closed.aborted || events.length === 0) return undefined;
		for (const { key } of events) starts.ask(key, now);
		this.log(events);
		const end = this.emit(events);
		void end.then(
			(run) => this.settle(events, run),
			(error: unknown) => this.fail(events, error),
		);
		return end;
	}

	private log(events: ListedRecord[]): void {
		const { logger } = this.context;
		const keys = keysOf(events);
		const reasons = [...new Set(keys.map((key) => this.trigger.starts.whyAgain(key)))].filter(Boolean).join('; ');
		if (reasons === '') logger.info(`The Argyle Trigger asks n8n for an execution for the event ${keys.join(', ')}`);
		else logger.info(`The Argyle Trigger asks again for the event ${keys.join(', ')}, because ${reasons}`);
	}

	/** As `AskForExecution`. */
	private async emit(events: ListedRecord[]): Promise<IRun | undefined> {
		const at = Date.now();
		const dropped = Math.max(...events.map(({ key }) => this.trigger.starts.droppedCount(key)));
		const items = events.map((event) => withOrigin(listedEvent(event, this.settings), { at, key: event.key, dropped }));
		return await this.ask(items, this.deduplicationKey(events, dropped));
	}

	/**
	 * Once an execution runs, n8n stores no second one with the same key, whichever process asks for it. But an
	 * execution that crashed keeps its key. So after n8n has dropped an execution for an event, the next key names this
	 * process. The same holds after n8n said nothing: the first execution may still wait, and a second one with the same
	 * key would make n8n delete the first.
	 */
	private deduplicationKey([oldest, ...others]: ListedRecord[], dropped: number): string {
		const parts = [
			'argyle',
			this.trigger.key,
			oldest.key,
			others.length > 0 ? 'received' : '',
			dropped > 0 ? `${PROCESS_ID} ${dropped}` : '',
		];
		return parts.filter(Boolean).join(' ');
	}

	/** `run` is undefined when n8n dropped the execution for its deduplication key. */
	private settle(events: ListedRecord[], run: IRun | undefined): void {
		const { starts } = this.trigger;
		const now = Date.now();
		for (const { key } of events) {
			if (run === undefined) starts.loseDropped(key, now);
			else if (failedInTrigger(run, this.context.getNode().name)) starts.lose(key, now, 'failed');
			// If the trigger failed in this process, the start is lost already, even if *On Error* let n8n continue.
			else if (starts.hasExecution(key)) starts.finish(key, now);
		}
		starts.advance();
	}

	private fail(events: ListedRecord[], error: unknown): void {
		const { starts } = this.trigger;
		// If the start is done, a person stopped the execution in a later node.
		if (events.every(({ key }) => starts.isDone(key))) return;
		// n8n's database may be locked. The next look starts the workflow for these events.
		for (const { key } of events) starts.lose(key, Date.now(), 'notStored');
		this.failure = notStarted(error);
	}
}
