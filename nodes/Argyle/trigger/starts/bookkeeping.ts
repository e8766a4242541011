import { type IRun, type ITriggerFunctions, UserError } from 'n8n-workflow';

import { LATENESS_MS } from '../../api/creationOrder';
import { MAX_EARLIER } from '../state/limits';
import { byAge, type ListedRecord } from '../state/listedRecord';
import { KNOWN, type Origin, PROCESS, withOrigin } from '../state/origin';
import type { TriggerSettings } from '../state/settings';
import type { Trigger } from '../state/trigger';
import { type EventList, listedEvent } from './eventList';

const MARK = { key: KNOWN, record: { id: KNOWN } };

/** The executions that end at the trigger, and have n8n keep what a restart has to find. */
export class Bookkeeping {
	/** The events from before the bookmark of which n8n's store has learned. */
	private readonly skipped = new Set<string>();

	/** Whether n8n refuses to tell when an execution ends, as its engine 2.0 does. */
	private isEndHidden = false;

	private readonly context: ITriggerFunctions;

	private readonly trigger: Trigger;

	private readonly settings: TriggerSettings;

	constructor(context: ITriggerFunctions, trigger: Trigger, settings: TriggerSettings) {
		this.context = context;
		this.trigger = trigger;
		this.settings = { ...settings, includeUserForm: false };
	}

	/** Where no call to the own URL saves the bookmark: seldom, and by an execution that ends at once. */
	saveBookmark(): void {
		this.trigger.unsaved = 0;
		this.emit([MARK], { isSaving: true }, 'saves');
	}

	/**
	 * Has n8n's store learn which events are from before the bookmark, so that none of them starts the workflow should
	 * static data be set back: another trigger of the workflow saves the copy that it was activated with. Where that may
	 * erase the bookmark, and no subscription tells from when on events count, the store learns of the trigger, too.
	 */
	async skipEarlier(lists: EventList[], beganAt: number, isFirstLook: boolean): Promise<void> {
		const { trigger, skipped } = this;
		for (const list of lists) await list.readBackTo(trigger.firstWantedAt ?? Infinity);
		const { serviceTime, latestServiceTime } = lists[0];
		// What the first look shows with a date in the future was there before.
		const latest = isFirstLook ? latestServiceTime : Infinity;
		const isEarlier = (event: ListedRecord) =>
			!skipped.has(event.key) && (trigger.isEarlier(event) || event.createdAt > latest);
		const listed = lists.flatMap(({ events }) => events);
		const earlier = listed.filter(isEarlier).sort(byAge).slice(-MAX_EARLIER);
		const wasAddedLater = this.settings.isPolling && this.context.getActivationMode() === 'update';
		const marks = wasAddedLater && !skipped.has(KNOWN) ? [MARK] : [];
		const events = [...earlier, ...marks];
		// Until then, because the list shows some late.
		if (serviceTime > beganAt + LATENESS_MS) trigger.beganAt = undefined;
		if (events.length === 0) return;
		for (const { key } of earlier) trigger.starts.skip(key, Date.now());
		const keys = events.map(({ key }) => key);
		for (const key of keys) skipped.add(key);
		this.emit(events, {}, `before ${beganAt}`, () => {
			for (const key of keys) skipped.delete(key);
			trigger.beganAt ??= beganAt;
		});
	}

	/** `onFailure` is called when n8n could not store the execution, or does not tell; the next look tries again then. */
	private emit(
		events: Array<Pick<ListedRecord, 'key' | 'record'>>,
		origin: Partial<Origin>,
		purpose: string,
		onFailure: () => void = () => {},
	): void {
		const { context, settings } = this;
		const now = Date.now();
		const items = events.map((event) =>
			withOrigin(listedEvent(event, settings), { at: now, isEarlier: true, ...origin }),
		);
		const end = context.helpers.createDeferredPromise<IRun>();
		const data = [context.helpers.returnJsonArray(items)];
		context.emit(
			data,
			undefined,
			this.isEndHidden ? undefined : end,
			`argyle ${this.trigger.key} ${PROCESS} ${purpose} ${now}`,
		);
		void end.promise.catch((error: unknown) => {
			this.isEndHidden ||= error instanceof UserError;
			onFailure();
		});
	}
}
