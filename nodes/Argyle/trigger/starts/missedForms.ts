import { type IDataObject, type IRun, type ITriggerFunctions, UserError } from 'n8n-workflow';

import { LATENESS_MS } from '../../api/creationOrder';
import { FORM_SUBMITTED } from '../../api/delivery';
import { ArgyleError } from '../../transport/errors';
import { isWithin } from '../../utils/clock';
import { saveState } from '../state/savedState';
import { includesUserForm, type TriggerSettings } from '../state/settings';
import { DELIVERY_MS, GIVE_UP_MS, OLD_FORM_MS } from '../state/timing';
import { type TriggerMemory, triggerKey, triggerMemory } from '../state/triggerMemory';
import { moveBookmark } from '../state/bookmark';
import type { ListedForm } from '../state/knownForms';
import type { FormList } from './formList';
import { startQueue } from './startQueue';

const tooManyForms = () =>
	new ArgyleError(
		"Argyle's list of user forms is too long to be read to its end",
		'Forms that were submitted while n8n was away may be missing: compare the list in the Argyle Console.',
	);

const notStarted = (error: unknown) =>
	new ArgyleError(
		'n8n could not start the workflow for a form',
		`The form is tried again. n8n says: ${error instanceof Error ? error.message : String(error)}`,
		{ isTransient: true },
	);

/** The event of a form as Argyle's list shows it: whose form it is, the execution finds out. */
export function listedEvent(
	{ id, account, record }: Pick<ListedForm, 'id' | 'account' | 'record'>,
	{ name, includeUserForm }: Pick<TriggerSettings, 'name' | 'includeUserForm'>,
): IDataObject {
	const event = { event: FORM_SUBMITTED, name, data: { account, user_form: id } };
	return includesUserForm(includeUserForm) ? { ...event, userForm: record } : event;
}

/** Starts the workflow for the forms that were submitted since the bookmark and not delivered. */
export class MissedForms {
	/** When this process learned of the forms that may still be delivered. */
	private readonly firstSeen = new Map<string, number>();

	/** The forms whose executions wait for their turn. */
	private readonly queued = new Set<string>();

	/** When n8n was asked for the executions of which it is unknown whether they have begun. */
	private readonly asked = new Map<string, number>();

	/** The time of the newest form when the list was last read to its end. */
	private readTo: number | undefined;

	/** The time of the newest form at the first look: what is older was missed before n8n started. */
	private backlogTo: number | undefined;

	private failure: ArgyleError | undefined;

	/** Whether n8n refuses to tell when an execution ends, as its engine 2.0 does. */
	private isEndHidden = false;

	private readonly memory: TriggerMemory;

	private readonly context: ITriggerFunctions;

	private readonly settings: TriggerSettings;

	private readonly closed: AbortSignal;

	constructor(context: ITriggerFunctions, settings: TriggerSettings, closed: AbortSignal) {
		this.context = context;
		this.settings = settings;
		this.closed = closed;
		this.memory = triggerMemory(context);
	}

	/**
	 * Looks for forms after the bookmark, which there has to be, and queues their executions. Where forms are delivered,
	 * one may still be on its way, and `receivedElsewhere` tells which ones other processes of n8n have. Returns in how
	 * many milliseconds to look again, undefined when nothing is pending. Throws ArgyleError when the forms can't be
	 * read, or n8n can't start the workflow.
	 */
	async look(list: FormList, receivedElsewhere?: (forms: string[]) => Promise<string[]>): Promise<number | undefined> {
		const { forms, bookmark } = this.memory;
		const isComplete = await list.readBackTo(Math.max(bookmark?.time ?? 0, (this.readTo ?? 0) - LATENESS_MS));
		const now = Date.now();
		forms.list(list.forms);
		if (isComplete) this.readTo = list.newestTime;
		this.backlogTo ??= list.newestTime;
		this.giveUp(now);
		const missing = forms.missing().filter(({ id }) => !this.queued.has(id));
		const deliveryMs = receivedElsewhere === undefined ? 0 : DELIVERY_MS;
		const ready = missing.filter((form) => !this.isOnItsWay(form, deliveryMs, now));
		if (missing.length === 0) this.firstSeen.clear();
		if (receivedElsewhere !== undefined && ready.length > 0)
			for (const id of await receivedElsewhere(ready.map(({ id }) => id))) forms.store(id, now);
		if (this.closed.aborted) return undefined;
		this.enqueue(ready);
		moveBookmark(this.context);
		this.throwFailure();
		if (!isComplete) throw tooManyForms();
		return missing.length > 0 ? DELIVERY_MS : undefined;
	}

	private isOnItsWay({ id, createdAt }: ListedForm, deliveryMs: number, now: number): boolean {
		if (now - createdAt >= OLD_FORM_MS) return false;
		const firstSeen = this.firstSeen.get(id) ?? now;
		this.firstSeen.set(id, firstSeen);
		return isWithin(deliveryMs, firstSeen, now);
	}

	/** n8n up to 2.14 says nothing when it could not store an execution. */
	private giveUp(now: number): void {
		for (const [id, since] of this.asked) {
			if (this.memory.forms.hasBegun(id)) this.asked.delete(id);
			else if (!isWithin(GIVE_UP_MS, since, now)) {
				this.asked.delete(id);
				this.memory.forms.forget(id);
			}
		}
	}

	private enqueue(forms: ListedForm[]): void {
		for (const { id } of forms) this.queued.add(id);
		startQueue.add(
			forms.map((form) => ({
				isBacklog: form.createdAt <= Number(this.backlogTo),
				submittedAt: form.createdAt,
				start: () => this.start(form),
			})),
		);
	}

	private throwFailure(): void {
		const { failure } = this;
		this.failure = undefined;
		if (failure !== undefined) throw failure;
	}

	private start(form: ListedForm): Promise<unknown> | undefined {
		const { forms } = this.memory;
		this.queued.delete(form.id);
		this.firstSeen.delete(form.id);
		// It may have been delivered in the meantime, or be another process's.
		if (this.closed.aborted || forms.has(form.id)) return undefined;
		const now = Date.now();
		forms.store(form.id, now);
		this.asked.set(form.id, now);
		moveBookmark(this.context);
		this.context.logger.info(`The Argyle Trigger starts the workflow for the form ${form.id}`);
		const end = this.emit(form);
		void end.then(
			() => this.settle(form),
			(error: unknown) => this.fail(form, error),
		);
		return end;
	}

	/** Resolves when the execution has ended, rejects when n8n could not store it. */
	private async emit(form: ListedForm): Promise<unknown> {
		const { helpers } = this.context;
		const items = helpers.returnJsonArray(listedEvent(form, this.settings));
		// Elsewhere the execution saves it. n8n saves static data as a whole, with what others have changed since.
		if (this.memory.runsElsewhere) saveState(this.context);
		// n8n makes no second execution with the same key, whichever process asks for it.
		const key = `argyle ${triggerKey(this.context)} ${form.id}`;
		const execution = helpers.createDeferredPromise<IRun>();
		this.context.emit([items], undefined, this.isEndHidden ? undefined : execution, key);
		return await execution.promise;
	}

	private settle(form: ListedForm): void {
		const { forms } = this.memory;
		this.asked.delete(form.id);
		// The bookmark moved on when it began, and what lies far enough behind is forgotten.
		if (forms.isForgotten(form)) return;
		this.memory.runsElsewhere = !forms.hasBegun(form.id);
		forms.begin(form.id, Date.now());
	}

	private fail(form: ListedForm, error: unknown): void {
		if (error instanceof UserError && !this.isEndHidden) {
			this.isEndHidden = true;
			this.context.logger.info(`n8n does not tell the Argyle Trigger when an execution ends: ${error.message}`);
			void this.emit(form).catch((again: unknown) => this.fail(form, again));
			return;
		}
		// n8n's database may be locked. The next look starts it again.
		this.asked.delete(form.id);
		this.memory.forms.forget(form.id);
		this.failure = notStarted(error);
	}
}
