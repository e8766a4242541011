import { LATENESS_MS } from '../../api/creationOrder';
import { TRIGGER_MARK, markOf } from '../state/doubt';
import { MAX_EARLIER } from '../state/limits';
import { byAge, type ListedRecord } from '../state/listedRecord';
import { type Origin, PROCESS_ID, withOrigin } from '../state/origin';
import type { Trigger } from '../state/trigger';
import { type EventList, listedEvent } from './eventList';
import type { AskForExecution } from './executions';

/** Makes a mark (`markOf`) look like an event, because both are recorded in the same way. */
const asEvent = (key: string) => ({ key, record: { id: TRIGGER_MARK } });

/**
 * Whether the event is from before the workflow wanted it, so that it must never start the workflow. That is so if its
 * change began before the workflow wanted it, or if the first look shows it with a date in the future (later than
 * `latest`). Events up to `firstWantedAt` need no such check: no bookmark is older, and what is before the bookmark
 * never starts the workflow.
 */
export function isEarlier(
	{ firstWantedAt = Infinity, beganAt, wanted }: Trigger,
	{ key, createdAt, begunAt = createdAt }: Omit<ListedRecord, 'record'>,
	latest: number,
): boolean {
	const begin = wanted.addedAfter(key) ?? beganAt ?? -Infinity;
	return (createdAt > firstWantedAt && begunAt <= begin) || (begin > -Infinity && createdAt > latest);
}

/**
 * Makes executions that end at the trigger. What a restart has to find, they write into static data, or into n8n's
 * processed values, its durable store.
 */
export class Bookkeeping {
	/** The keys of the earlier events, and the marks, that executions of this watch have recorded. */
	private readonly skipped = new Set<string>();

	private readonly trigger: Trigger;

	/** The `name` of every event. */
	private readonly name: string;

	/** Whether the workflow was already published when a publish added the trigger, or its events. */
	private readonly wasAddedLater: boolean;

	private readonly ask: AskForExecution;

	constructor(trigger: Trigger, name: string, activationMode: string, ask: AskForExecution) {
		this.trigger = trigger;
		this.name = name;
		this.wasAddedLater = activationMode === 'update';
		this.ask = ask;
	}

	/** Saves the bookmark with an execution, for when no call to the own URL can save it. */
	saveBookmark(): void {
		this.trigger.unsaved = 0;
		this.emit([asEvent(TRIGGER_MARK)], { isSaving: true }, 'saves');
	}

	/**
	 * Ends the doubt. If it was about the trigger, records the mark, so that this doubt does not come again if static
	 * data is lost again.
	 */
	endDoubt(): void {
		const { trigger } = this;
		if (trigger.doubt?.about === 'trigger') this.emit([asEvent(TRIGGER_MARK)], {}, 'knows');
		trigger.doubt = undefined;
	}

	/**
	 * Records the events from before the bookmark, or from before a publish that added them, so that none of them ever
	 * starts the workflow. The bookmark alone is not enough. n8n gives each trigger of the workflow a copy of static data
	 * when it activates it, and another trigger can save its copy later. That copy can be older than the publish that
	 * added this trigger, or an event. So a mark of the trigger, or of each added event, is recorded too.
	 * `isPartial` says that a list could not be read.
	 */
	async skipEarlier(lists: EventList[], more: ListedRecord[], isFirstLook: boolean, isPartial: boolean): Promise<void> {
		const { trigger, skipped } = this;
		const { beganAt, wanted } = trigger;
		const { added } = wanted;
		const latestBegin = Math.max(beganAt ?? -Infinity, ...Object.values(added));
		if (latestBegin === -Infinity) return;
		for (const list of lists) await list.readBackTo(trigger.firstWantedAt ?? Infinity);
		const { serviceTime, latestServiceTime } = lists[0];
		// An event that the first look shows with a date in the future was there before the beginning.
		const latest = isFirstLook ? latestServiceTime : Infinity;
		const isNew = (event: ListedRecord) => !skipped.has(event.key) && isEarlier(trigger, event, latest);
		const listed = [...lists.flatMap(({ events }) => events), ...more];
		const earlier = listed.filter(isNew).sort(byAge).slice(-MAX_EARLIER);
		const begun = beganAt === undefined ? Object.keys(added) : ['trigger', ...Object.keys(wanted.since)];
		const marks = this.wasAddedLater ? begun.map(markOf).filter((mark) => !skipped.has(mark)) : [];
		const events = [...earlier, ...marks.map(asEvent)];
		// For LATENESS_MS after a beginning, a list may still show earlier events for the first time.
		if (!isPartial && serviceTime > latestBegin + LATENESS_MS) {
			trigger.beganAt = undefined;
			wanted.added = {};
		}
		if (events.length === 0) return;
		for (const { key } of earlier) trigger.starts.skip(key, Date.now());
		const keys = events.map(({ key }) => key);
		for (const key of keys) skipped.add(key);
		this.emit(events, {}, `before ${latestBegin}`, () => {
			for (const key of keys) skipped.delete(key);
			trigger.beganAt ??= beganAt;
			wanted.added = { ...added, ...wanted.added };
		});
	}

	/** `onFailure` is called when n8n could not store the execution. The next look then tries again. */
	private emit(
		events: Array<Pick<ListedRecord, 'key' | 'record'>>,
		origin: Partial<Origin>,
		purpose: string,
		onFailure: () => void = () => {},
	): void {
		const { key: trigger } = this.trigger;
		const at = Date.now();
		const items = events.map((event) => {
			const item = listedEvent(event, { name: this.name, includeUserForm: false });
			return withOrigin(item, { at, key: event.key, isEarlier: true, ...origin });
		});
		void this.ask(items, `argyle ${trigger} ${PROCESS_ID} ${purpose} ${at}`).catch(onFailure);
	}
}
