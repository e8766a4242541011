import { type IRun, type ITriggerFunctions, UserError } from 'n8n-workflow';

import { LATENESS_MS } from '../../api/creationOrder';
import { MAX_EARLIER } from '../state/limits';
import { byAge, type ListedRecord } from '../state/listedRecord';
import { KNOWN, type Origin, PROCESS, withOrigin } from '../state/origin';
import type { TriggerSettings } from '../state/settings';
import type { Trigger } from '../state/trigger';
import { type FormList, listedEvent } from './formList';

/** The executions that end at the trigger, and have n8n keep what a restart has to find. */
export class Bookkeeping {
	/** The forms from before the bookmark of which n8n's store has learned. */
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
		this.emit([{ id: KNOWN }], { isSaving: true }, 'saves');
	}

	/**
	 * Has n8n's store learn which forms are from before the bookmark, so that none of them starts the workflow should
	 * static data be set back: another trigger of the workflow saves the copy that it was activated with. Where that may
	 * erase the bookmark, and no subscription tells from when on forms count, the store learns of the trigger itself, too.
	 */
	async skipEarlier(list: FormList, beganAt: number, isFirstLook: boolean): Promise<void> {
		const { trigger, skipped } = this;
		await list.readBackTo(trigger.firstWantedAt ?? Infinity);
		const { serviceTime, latestServiceTime } = list;
		// What the first look shows with a date in the future was there before.
		const latest = isFirstLook ? latestServiceTime : Infinity;
		const isEarlier = (form: ListedRecord) =>
			!skipped.has(form.key) && (trigger.isEarlier(form) || form.createdAt > latest);
		const earlier = list.forms.filter(isEarlier).sort(byAge).slice(-MAX_EARLIER);
		const wasAddedLater = this.settings.isPolling && this.context.getActivationMode() === 'update';
		const marks = wasAddedLater && !skipped.has(KNOWN) ? [{ id: KNOWN }] : [];
		const records = [...earlier.map(({ record }) => record), ...marks];
		// Until then, because the list shows some late.
		if (serviceTime > beganAt + LATENESS_MS) trigger.beganAt = undefined;
		if (records.length === 0) return;
		for (const { key } of earlier) trigger.starts.skip(key, Date.now());
		const keys = records.map(({ id }) => String(id));
		for (const key of keys) skipped.add(key);
		this.emit(records, {}, `before ${beganAt}`, () => {
			for (const key of keys) skipped.delete(key);
			trigger.beganAt ??= beganAt;
		});
	}

	/** `onFailure` is called when n8n could not store the execution, or does not tell; the next look tries again then. */
	private emit(
		records: ListedRecord['record'][],
		origin: Partial<Origin>,
		purpose: string,
		onFailure: () => void = () => {},
	): void {
		const { context, settings } = this;
		const now = Date.now();
		const items = records.map((record) =>
			withOrigin(listedEvent(record, settings), { at: now, isEarlier: true, ...origin }),
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
