import type { IRun, ITriggerFunctions } from 'n8n-workflow';

import type { ArgyleClient } from '../../transport/client';
import { ArgyleError } from '../../transport/errors';
import { clock } from '../../utils/clock';
import { recentLists } from '../accountLists';
import { formEvent } from '../formEvent';
import { type ListedForm, missedForms } from './formList';
import { includesUserForm } from '../settings';
import { stateToSend } from './bookmark';
import { readState } from '../staticData';
import { withState } from '../submittedForm';
import { isKnownForm, type TriggerMemory, triggerKey, triggerMemory } from '../triggerMemory';

/** n8n starts about twenty executions a second. */
const EMIT_INTERVAL_MS = 50;

/** There is always a next look. */
export const WATCH_TIMING = { timeoutMs: 10_000, maxElapsedMs: 5_000 };

/** How forms reach the workflow otherwise. */
interface Delivery {
	/** As the deliveries' `name`. */
	name: string;
	/** For how long a form may still be on its way. */
	deliveryTimeMs: number;
	/** Which of the forms other processes of n8n took. */
	takenElsewhere?: (forms: string[]) => Promise<string[]>;
}

const tooManyForms = () =>
	new ArgyleError(
		"Argyle's list of user forms is too long to be read to its end",
		'Forms that were submitted while n8n was away may be missing: compare the list in the Argyle Console.',
	);

/** Starts the workflow for the forms that were submitted since the bookmark and not delivered. */
export class CatchUp {
	/** When this process learned of the forms that may still be delivered. */
	private readonly firstSeen = new Map<string, number>();

	/** When the forms were submitted whose execution n8n may not have stored yet. */
	private readonly unstored = new Map<string, number>();

	private readonly memory: TriggerMemory;

	private readonly context: ITriggerFunctions;

	private readonly closed: AbortSignal;

	constructor(context: ITriggerFunctions, closed: AbortSignal) {
		this.context = context;
		this.closed = closed;
		this.memory = triggerMemory(context);
		const { bookmark, startedForms } = readState(context.getWorkflowStaticData('node'));
		this.memory.bookmark ??= bookmark;
		for (const form of startedForms) this.memory.startedForms.set(form, true);
	}

	/**
	 * Returns in how many milliseconds to run again, undefined when nothing is pending. Throws ArgyleError when the forms
	 * can't be read.
	 */
	async run(client: ArgyleClient, { name, deliveryTimeMs, takenElsewhere }: Delivery): Promise<number | undefined> {
		const { memory } = this;
		if (memory.bookmark === undefined) return undefined;
		const list = recentLists(client).forms();
		const isComplete = await list.readBackTo(memory.bookmark);
		const isKnown = (id: string) => isKnownForm(memory, id);
		const { ready, hasYoung, nextBookmark } = missedForms(
			list,
			memory.bookmark,
			isKnown,
			this.firstSeen,
			deliveryTimeMs,
			Date.now(),
		);
		const readyIds = ready.map(({ id }) => id);
		for (const id of (await takenElsewhere?.(readyIds)) ?? []) memory.forms.set(id, true);
		for (const form of ready) await this.start(client, form, name);
		if (this.closed.aborted) return undefined;
		memory.bookmark = Math.min(nextBookmark, ...this.unstoredSince());
		if (!hasYoung) this.firstSeen.clear();
		if (!isComplete) throw tooManyForms();
		return hasYoung || ready.length > 0 ? deliveryTimeMs : undefined;
	}

	/** Bookmarks before the forms that are found again when n8n could not store their execution. */
	private unstoredSince(): number[] {
		for (const id of this.unstored.keys()) if (this.memory.startedForms.get(id) === true) this.unstored.delete(id);
		return [...this.unstored.values()].map((createdAt) => createdAt - 1);
	}

	private async start(client: ArgyleClient, form: ListedForm, name: string): Promise<void> {
		if (isKnownForm(this.memory, form.id)) return;
		const message = await formEvent(client, form, name, includesUserForm(this.context));
		// It may have been delivered in the meantime.
		if (this.closed.aborted || isKnownForm(this.memory, form.id)) return;
		const json = withState(message, stateToSend(this.context));
		// n8n makes no second execution with the same key, whichever process asks for it.
		const key = `argyle ${triggerKey(this.context)} ${form.id}`;
		const execution = this.context.helpers.createDeferredPromise<IRun>();
		this.memory.forms.set(form.id, true);
		this.unstored.set(form.id, form.createdAt);
		void execution.promise.then(
			() => this.unstored.delete(form.id),
			// n8n's database may be locked. The next look starts it again.
			() => this.memory.forms.delete(form.id),
		);
		this.context.emit([this.context.helpers.returnJsonArray(json)], undefined, execution, key);
		this.context.logger.info(`The Argyle Trigger starts the workflow for the form ${form.id}`);
		await clock.pause(EMIT_INTERVAL_MS, this.closed);
	}
}
