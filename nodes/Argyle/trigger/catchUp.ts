import type { IDataObject, IRun, ITriggerFunctions } from 'n8n-workflow';

import { ACCOUNTS, getRecord } from '../api/collections';
import type { ArgyleClient } from '../transport/client';
import { ArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { clock } from '../utils/clock';
import { recentLists } from './accountLists';
import { DELIVERY_TIME_MS, type ListedForm, missedForms } from './missedForms';
import type { DesiredSubscription } from './provisioning';
import { stateToSend } from './registration';
import { FORM_SUBMITTED, withState } from './submittedForm';
import { formsTakenElsewhere } from './takenForms';
import { isKnownForm, type TriggerMemory, triggerKey, triggerMemory } from './triggerMemory';

/** n8n starts about twenty executions a second. */
const EMIT_INTERVAL_MS = 50;

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
	}

	/**
	 * Returns in how many milliseconds to run again, undefined when nothing is pending. Throws ArgyleError when the forms
	 * can't be read.
	 */
	async run(
		client: ArgyleClient,
		{ request, secret }: DesiredSubscription,
		includeUserForm: boolean,
	): Promise<number | undefined> {
		const { context, memory } = this;
		if (memory.bookmark === undefined) return undefined;
		const list = recentLists(client).forms();
		const isComplete = await list.readBackTo(memory.bookmark);
		const isKnown = (id: string) => isKnownForm(memory, id);
		const { ready, hasYoung, nextBookmark } = missedForms(list, memory.bookmark, isKnown, this.firstSeen, Date.now());
		const readyIds = ready.map(({ id }) => id);
		for (const id of await formsTakenElsewhere(context, request.url, secret, readyIds)) memory.forms.set(id, true);
		for (const form of ready) await this.start(client, form, request.name, includeUserForm);
		if (this.closed.aborted) return undefined;
		memory.bookmark = Math.min(nextBookmark, ...this.unstoredSince());
		if (!hasYoung) this.firstSeen.clear();
		if (!isComplete) throw tooManyForms();
		return hasYoung || ready.length > 0 ? DELIVERY_TIME_MS : undefined;
	}

	/** Bookmarks before the forms that are found again when n8n could not store their execution. */
	private unstoredSince(): number[] {
		for (const id of this.unstored.keys()) if (this.memory.startedForms.get(id) === true) this.unstored.delete(id);
		return [...this.unstored.values()].map((createdAt) => createdAt - 1);
	}

	private async start(client: ArgyleClient, form: ListedForm, name: string, includeUserForm: boolean): Promise<void> {
		if (isKnownForm(this.memory, form.id)) return;
		const account = await getRecord(client, ACCOUNTS, form.account).catch(undefinedWhenNotFound);
		// It may have been delivered in the meantime.
		if (this.closed.aborted || isKnownForm(this.memory, form.id)) return;
		const message: IDataObject = {
			event: FORM_SUBMITTED,
			name,
			data: { account: form.account, user: account?.user ?? null, user_form: form.id },
			...(includeUserForm ? { userForm: form.record } : {}),
		};
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
		this.context.logger.info(`The Argyle Trigger starts the workflow for a form that was missed: ${form.id}`);
		await clock.pause(EMIT_INTERVAL_MS, this.closed);
	}
}
