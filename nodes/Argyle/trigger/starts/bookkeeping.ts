import { LATENESS_MS } from '../../api/creationOrder';
import { MAX_EARLIER } from '../state/limits';
import { byAge, type ListedRecord } from '../state/listedRecord';
import { KNOWN, markOf, type Origin, PROCESS, withOrigin } from '../state/origin';
import type { Trigger } from '../state/trigger';
import { type EventList, listedEvent } from './eventList';
import type { AskForExecution } from './executions';

/** A key of `markOf`, to be recorded as those of events are. */
const asEvent = (key: string) => ({ key, record: { id: KNOWN } });

/**
 * Whether the event must not start the workflow: it is later than `firstWantedAt`, but its change began before the
 * workflow wanted such events. Until n8n's store knows the earlier events, an event that is dated after `latest` counts
 * as earlier, too.
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
 * Makes executions that end at the trigger: they write into n8n's store or static data what a restart has to find.
 */
export class Bookkeeping {
	/** The events from before the bookmark that n8n's store knows. */
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

	/** Saves the bookmark with an execution that ends at once. It is for when no call to the own URL can save it. */
	saveBookmark(): void {
		this.trigger.unsaved = 0;
		this.emit([asEvent(KNOWN)], { isSaving: true }, 'saves');
	}

	/** Ends the doubt. n8n's store then knows the trigger, even if static data does not when n8n starts again. */
	endDoubt(): void {
		const { trigger } = this;
		if (trigger.doubt?.about === 'trigger') this.emit([asEvent(KNOWN)], {}, 'knows');
		trigger.doubt = undefined;
	}

	/**
	 * Tells n8n's store which events are from before the bookmark, or before a publish that added them. Static data can be
	 * set back, because another trigger of the workflow saves the copy that it was activated with. With the store, none of
	 * these events starts the workflow even then. If the workflow was published before, static data may lose even this
	 * publish. So a mark in the store says that the trigger, or its events, are known. `isPartial` says that a list could
	 * not be read.
	 */
	async skipEarlier(lists: EventList[], more: ListedRecord[], isFirstLook: boolean, isPartial: boolean): Promise<void> {
		const { trigger, skipped } = this;
		const { beganAt, wanted } = trigger;
		const { added } = wanted;
		const latestBegin = Math.max(beganAt ?? -Infinity, ...Object.values(added));
		if (latestBegin === -Infinity) return;
		for (const list of lists) await list.readBackTo(trigger.firstWantedAt ?? Infinity);
		const { serviceTime, latestServiceTime } = lists[0];
		// An event that the first look shows with a date in the future was there before.
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
		void this.ask(items, `argyle ${trigger} ${PROCESS} ${purpose} ${at}`).catch(onFailure);
	}
}
