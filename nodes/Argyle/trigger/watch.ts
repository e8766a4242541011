import type { IDataObject, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { ACCOUNTS, getRecord } from '../api/collections';
import { isSubscribed } from '../api/eventMessage';
import { type Subscription, subscriptionsTo } from '../api/webhooks';
import { toNodeError } from '../shared/nodeError';
import { isOn } from '../shared/parameters';
import { type ArgyleClient, connect } from '../transport/client';
import { ArgyleError, asArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { clock } from '../utils/clock';
import { isDataObject } from '../utils/json';
import { recentLists } from './accountLists';
import { desiredSubscription } from './desiredSubscription';
import { warnOfLeftSubscription } from './leftSubscription';
import { subscriptionMutex } from './lifecycle';
import { DELIVERY_TIME_MS, type ListedForm, missedForms } from './missedForms';
import {
	type DesiredSubscription,
	findDesired,
	idsOf,
	ownSubscriptions,
	removeAll,
	replaceSubscriptions,
	rollBack,
} from './provisioning';
import { assertReachable } from './publicUrl';
import { bookmarkIn, creationTime, lastRegistration, registrationOf, stateToSend } from './registration';
import { deriveSecret } from './secret';
import { readState } from './staticData';
import { FORM_SUBMITTED, withState } from './submittedForm';
import { formsTakenElsewhere } from './takenForms';
import {
	isKnownForm,
	rememberedSubscription,
	rememberSubscription,
	type TriggerMemory,
	triggerKey,
	triggerMemory,
} from './triggerMemory';
import { Trouble } from './trouble';

/** Spreads the n8n instances of an account. The triggers of this process share it, and so what they read. */
const START_DELAY_MS = 3_000 + Math.random() * 4_000;

/** Five minutes, less what a look takes. */
const INTERVAL_MS = 285_000;

/** While the hooks register the trigger, or the service is away. */
const SOON_MS = 30_000;

/** So many failures in a row are repeated soon. */
const MAX_SOON = 10;

/** n8n starts about twenty executions a second. */
const EMIT_INTERVAL_MS = 50;

/** There is always a next look. */
const WATCH_TIMING = { timeoutMs: 10_000, maxElapsedMs: 5_000 };

/**
 * Looks again and again, from n8n's start until the workflow is unpublished, whether the subscription is there as it is
 * wanted, and whether a form was missed. Never throws, because n8n would take the trigger down.
 */
export class Watch {
	private readonly closed = new AbortController();

	private readonly trouble = new Trouble();

	private readonly firstSeen = new Map<string, number>();

	private readonly memory: TriggerMemory;

	private failures = 0;

	private readonly context: ITriggerFunctions;

	constructor(context: ITriggerFunctions) {
		this.context = context;
		this.memory = triggerMemory(context);
		const { bookmark, startedForms } = readState(context.getWorkflowStaticData('node'));
		this.memory.bookmark ??= bookmark;
		for (const form of startedForms) this.memory.startedForms.set(form, true);
	}

	close(): void {
		this.closed.abort();
	}

	async run(): Promise<void> {
		let delay = START_DELAY_MS;
		for (;;) {
			await clock.pause(delay, this.closed.signal);
			if (this.isClosed()) return;
			delay = await this.look();
		}
	}

	/** Returns in how many milliseconds to look again. */
	async look(): Promise<number> {
		return await this.lookOnce().then(
			(delay) => this.succeed(delay),
			(error: unknown) => this.fail(asArgyleError(error)),
		);
	}

	private isClosed(): boolean {
		return this.closed.signal.aborted;
	}

	private succeed(delay: number): number {
		this.failures = 0;
		if (this.trouble.onSuccess()) this.context.logger.info('The Argyle Trigger works again');
		return delay;
	}

	private fail(error: ArgyleError): number {
		if (this.isClosed()) return INTERVAL_MS;
		const story = `This workflow is published, but Argyle can't start it: ${error.message}. ${error.description}`;
		if (this.failures++ === 0) this.context.logger.warn(story);
		if (this.trouble.onFailure(error, Date.now())) this.report(story, error);
		return error.isTransient && this.failures <= MAX_SOON ? SOON_MS : INTERVAL_MS;
	}

	/** As a failed execution, which also starts the person's error workflow. The first n8n 2 have the log only. */
	private report(story: string, { description, details }: ArgyleError): void {
		if (!('saveFailedExecution' in this.context)) return;
		this.context.saveFailedExecution(toNodeError(this.context.getNode(), new ArgyleError(story, description, details)));
	}

	private async lookOnce(): Promise<number> {
		const url = this.memory.publishedUrl;
		if (url === undefined) return SOON_MS;
		const client = await connect(this.context, WATCH_TIMING);
		assertReachable(url, client.environment);
		const request = desiredSubscription(this.context, url);
		const desired = { request, secret: deriveSecret(client.credential, url) };
		await this.ensureSubscription(client, desired);
		const saved: unknown = this.context.getNodeParameter('options', {});
		const options = isDataObject(saved) ? saved : {};
		if (!isOn(options, 'catchUp', true) || !isSubscribed(FORM_SUBMITTED, request.events)) return INTERVAL_MS;
		return await this.catchUp(client, desired, isOn(options, 'includeUserForm'));
	}

	private async ensureSubscription(client: ArgyleClient, desired: DesiredSubscription): Promise<void> {
		const { url } = desired.request;
		const listed = subscriptionsTo(url, await recentLists(client).subscriptions());
		const kept = findDesired(listed, desired);
		const bookmark = this.bookmarkIn(client, listed, kept);
		if (kept === undefined || listed.length > 1 || bookmark === undefined) {
			await subscriptionMutex.run(url, async () => await this.repair(client, desired));
		} else this.remember(client, url, kept, bookmark);
	}

	private bookmarkIn(client: ArgyleClient, own: Subscription[], kept: Subscription | undefined): number | undefined {
		return bookmarkIn(client, lastRegistration(this.context), own, kept, this.memory.bookmark);
	}

	private remember(client: ArgyleClient, url: string, subscription: Subscription, bookmark: number): void {
		if (rememberedSubscription(url) === undefined) rememberSubscription(url, subscription.id);
		this.memory.registered = registrationOf(client, url, subscription);
		this.memory.bookmark = bookmark;
	}

	private async repair(client: ArgyleClient, desired: DesiredSubscription): Promise<void> {
		const { context, memory } = this;
		const { url } = desired.request;
		if (this.isClosed() || memory.publishedUrl !== url) return;
		const own = await ownSubscriptions(client, url);
		const kept = findDesired(own, desired);
		const bookmark = this.bookmarkIn(client, own, kept);
		// Without a bookmark, a new subscription tells from when on forms count.
		if (kept !== undefined && bookmark !== undefined) {
			await removeAll(client, idsOf(own.filter(({ id }) => id !== kept.id)));
			rememberSubscription(url, undefined);
			this.remember(client, url, kept, bookmark);
			return;
		}
		const { created, mayHaveDuplicate } = await replaceSubscriptions(client, desired, own, context.logger);
		if (this.isClosed()) return await rollBack(client, created.id, context.logger);
		context.logger.info(`The Argyle Trigger registered its subscription again: ${created.id}`);
		warnOfLeftSubscription(context.logger, lastRegistration(context), { url, account: client.account }, own);
		rememberSubscription(url, undefined);
		this.remember(client, url, created, bookmark ?? creationTime(created));
		if (mayHaveDuplicate) rememberSubscription(url, undefined);
	}

	private async catchUp(
		client: ArgyleClient,
		{ request, secret }: DesiredSubscription,
		includeUserForm: boolean,
	): Promise<number> {
		const { context, memory } = this;
		if (memory.bookmark === undefined) return INTERVAL_MS;
		const list = recentLists(client).forms();
		const isComplete = await list.readBackTo(memory.bookmark);
		const isKnown = (id: string) => isKnownForm(memory, id);
		const { ready, hasYoung, nextBookmark } = missedForms(list, memory.bookmark, isKnown, this.firstSeen, Date.now());
		const readyIds = ready.map(({ id }) => id);
		for (const id of await formsTakenElsewhere(context, request.url, secret, readyIds)) memory.forms.set(id, true);
		for (const form of ready) await this.start(client, form, request.name, includeUserForm);
		if (this.isClosed()) return INTERVAL_MS;
		memory.bookmark = nextBookmark;
		if (!hasYoung) this.firstSeen.clear();
		if (!isComplete) throw tooManyForms();
		return hasYoung ? DELIVERY_TIME_MS : INTERVAL_MS;
	}

	private async start(client: ArgyleClient, form: ListedForm, name: string, includeUserForm: boolean): Promise<void> {
		if (isKnownForm(this.memory, form.id)) return;
		const account = await getRecord(client, ACCOUNTS, form.account).catch(undefinedWhenNotFound);
		// It may have been delivered in the meantime.
		if (this.isClosed() || isKnownForm(this.memory, form.id)) return;
		const message: IDataObject = {
			event: FORM_SUBMITTED,
			name,
			data: { account: form.account, user: account?.user ?? null, user_form: form.id },
			...(includeUserForm ? { userForm: form.record } : {}),
		};
		const json = withState(message, stateToSend(this.context));
		// n8n makes no second execution with the same key, whichever process asks for it.
		const key = `argyle ${triggerKey(this.context)} ${form.id}`;
		this.context.emit([this.context.helpers.returnJsonArray(json)], undefined, undefined, key);
		this.memory.forms.set(form.id, true);
		this.context.logger.info(`The Argyle Trigger starts the workflow for a form that was missed: ${form.id}`);
		await clock.pause(EMIT_INTERVAL_MS, this.closed.signal);
	}
}

const tooManyForms = () =>
	new ArgyleError(
		"Argyle's list of user forms is too long to be read to its end",
		'Forms that were submitted while n8n was away may be missing: compare the list in the Argyle Console.',
	);

/** n8n calls this at each start and publish. In a test it calls `webhook()` and `execute()` only. */
export function startWatch(context: ITriggerFunctions): ITriggerResponse {
	const watch = new Watch(context);
	void watch.run();
	return { closeFunction: async () => watch.close() };
}
