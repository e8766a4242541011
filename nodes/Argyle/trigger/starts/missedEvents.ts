import { eventOfKey, isTimeMoved, sourceOf } from '../../api/eventSources';
import { ArgyleError } from '../../transport/errors';
import { MAX_UNSAVED } from '../state/limits';
import type { ListedRecord } from '../state/listedRecord';
import { isLeftOut } from '../state/settings';
import { whyAgain } from '../state/start';
import type { Starts } from '../state/starts';
import { LOOK_SOON_MS, MAX_EVENT_AGE_MS, SCAN_REACH_MS, SHARED_READING_MS } from '../state/timing';
import type { Watched } from '../state/watched';
import type { Wish } from '../state/wish';
import type { EventList } from './eventList';
import { Executions } from './executions';
import { LookReader } from './lookReader';
import { Scan } from './scan';

const tooMany = (records: string) =>
	new ArgyleError(
		`Argyle's list of ${records} is too long to be read to its end`,
		'What happened while n8n was away may not have started this workflow: look for it in the Argyle Console.',
	);

/**
 * Returns which of the events, by their keys, other processes of n8n have received. From now on, those processes start
 * none of the events in `claimed`.
 */
type AskReceived = (keys: string[], claimed: string[]) => Promise<string[]>;

const keysOf = (events: ListedRecord[]) => events.map(({ key }) => key);

const mayHaveRunIn =
	(starts: Starts) =>
	({ key }: ListedRecord) =>
		starts.get(key)?.mayHaveRun === true;

/** Asks other processes which of the missing events they have received. Tells them which of these start here now. */
async function askElsewhere(
	starts: Starts,
	ask: AskReceived,
	isReady: (event: ListedRecord) => boolean,
): Promise<void> {
	const mayHaveRun = mayHaveRunIn(starts);
	const unknown = starts.missing().filter((event) => !mayHaveRun(event));
	if (unknown.length > 0)
		for (const key of await ask(keysOf(unknown), keysOf(unknown.filter(isReady)))) starts.markMayHaveRun(key);
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

	readonly executions: Executions;

	private readonly lists: LookReader;

	private readonly watched: Watched;

	constructor(watched: Watched) {
		this.watched = watched;
		this.scan = new Scan(watched.settings.isPolling);
		this.lists = new LookReader(watched.trigger, this.scan);
		this.executions = new Executions(watched);
	}

	/**
	 * Looks for events that count, and queues their executions. `mayBeDelivered` says whether a delivery may be on its
	 * way. `askReceived` tells which events other processes have received. Returns after how many milliseconds to look
	 * again, if there was no room for all events, or if an event was not delivered yet. Throws ArgyleError when none of
	 * the lists can be read, a list is too long, or n8n can't start the workflow.
	 */
	async look(lists: EventList[], mayBeDelivered: boolean, askReceived?: AskReceived): Promise<number | undefined> {
		const { trigger, closed } = this.watched;
		const { starts } = trigger;
		const tooLong = await this.read(lists);
		const [{ serviceTime }] = lists;
		const now = Date.now();
		const isReady = (event: ListedRecord) => !mayBeDelivered || !starts.isOnItsWay(event, serviceTime, now);
		if (askReceived !== undefined) await askElsewhere(starts, askReceived, isReady);
		if (closed.aborted) return undefined;
		const mayHaveRun = mayHaveRunIn(starts);
		// n8n may have forgotten the oldest of these. They would start the workflow again, and push others out.
		for (const { key } of starts.missing().filter(mayHaveRun).slice(0, -MAX_UNSAVED)) starts.skip(key);
		const missing = starts.missing();
		// Until static data is saved again, no more events start than n8n's processed values, its durable store, can keep.
		const room = Math.max(0, MAX_UNSAVED - starts.unsavedCount - starts.pendingCount);
		const ready = missing.filter(isReady);
		// These have started the workflow, unless their executions were killed. One execution checks all of them, before n8n
		// forgets them for others.
		const unsure = ready.filter(mayHaveRun).slice(0, room);
		const missed = ready.filter((event) => !mayHaveRun(event)).slice(0, room - unsure.length);
		const isBacklog = ({ happenedAt }: ListedRecord) => happenedAt <= Number(this.backlogTo);
		this.executions.enqueue([unsure, ...missed.map((event) => [event])], isBacklog);
		starts.advance();
		const failure = this.executions.failure.take() ?? (tooLong && tooMany(tooLong.recordType.many));
		if (failure !== undefined) throw failure;
		if (ready.length > room) return SHARED_READING_MS;
		const mayComeSoon = ({ key }: ListedRecord) => whyAgain(starts.get(key)) === undefined;
		return askReceived !== undefined && missing.some(mayComeSoon) ? LOOK_SOON_MS : undefined;
	}

	/** Reads the lists, and remembers what they show. Returns a list that may show more events than were read. */
	private async read(lists: EventList[]): Promise<EventList | undefined> {
		const { trigger, settings } = this.watched;
		const { starts, wish } = trigger;
		const { unread, refused, scanned } = await this.lists.read(lists);
		const { serviceTime, latestServiceTime } = lists[0];
		const shown = [...lists.flatMap((list) => list.events), ...scanned];
		const isFresh = wish.fresh.take() === true;
		const isAhead = ({ happenedAt }: ListedRecord) => isFresh && happenedAt > latestServiceTime;
		for (const event of shown) if (isAhead(event) || mayComeToCount(wish, event)) starts.skip(event.key);
		if (refused.length > 0) starts.hold(Math.max(trigger.readFrom, serviceTime - MAX_EVENT_AGE_MS));
		else if (unread.length === 0) starts.hold(this.heldFrom(lists, serviceTime));
		const now = Date.now();
		const isWanted = (event: ListedRecord) => wish.has(event) && !isLeftOut(event, settings.options);
		starts.list(shown.filter(isWanted), serviceTime, now);
		starts.loseSilent(now);
		this.lists.setReach(lists.filter((list) => !unread.includes(list)));
		this.backlogTo ??= Math.max(...lists.map(({ newestTime }) => newestTime ?? -Infinity));
		return unread.find((list) => !refused.includes(list));
	}

	/** The time from which on no start may be forgotten, because events of that time may still be found. */
	private heldFrom(lists: EventList[], serviceTime: number): number {
		const { wish } = this.watched.trigger;
		const open = lists.filter((list) => list.isUndated).map((list) => list.oldestOpen(wish.firstTime));
		return Math.min(...open, wish.areScanned ? serviceTime - SCAN_REACH_MS : Infinity);
	}
}
