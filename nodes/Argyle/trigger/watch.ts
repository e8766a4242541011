import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { isSubscribed } from '../api/eventMessage';
import { type Subscription, subscriptionsTo } from '../api/webhooks';
import { toNodeError } from '../shared/nodeError';
import { isOn } from '../shared/parameters';
import { type ArgyleClient, connect } from '../transport/client';
import { ArgyleError, asArgyleError } from '../transport/errors';
import { clock } from '../utils/clock';
import { isDataObject } from '../utils/json';
import { recentLists } from './accountLists';
import { CatchUp } from './catchUp';
import { desiredSubscription } from './desiredSubscription';
import { warnOfLeftSubscription } from './leftSubscription';
import { subscriptionMutex } from './lifecycle';
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
import { bookmarkIn, creationTime, lastRegistration, registrationOf } from './registration';
import { deriveSecret } from './secret';
import { readState } from './staticData';
import { FORM_SUBMITTED } from './submittedForm';
import { rememberedSubscription, rememberSubscription, type TriggerMemory, triggerMemory } from './triggerMemory';
import { Trouble } from './trouble';

/** Spreads the n8n instances of an account. The triggers of this process share it, and so what they read. */
const START_DELAY_MS = 3_000 + Math.random() * 4_000;

/** Five minutes, less what a look takes. */
const INTERVAL_MS = 285_000;

/** While the hooks register the trigger, or the service is away. */
const SOON_MS = 30_000;

/** So many failures in a row are repeated soon. */
const MAX_SOON = 10;

/** There is always a next look. */
const WATCH_TIMING = { timeoutMs: 10_000, maxElapsedMs: 5_000 };

/**
 * Looks again and again, from n8n's start until the workflow is unpublished, whether the subscription is there as it is
 * wanted, and whether a form was missed. Never throws, because n8n would take the trigger down.
 */
export class Watch {
	private readonly closed = new AbortController();

	private readonly trouble = new Trouble();

	private readonly catchUp: CatchUp;

	private readonly memory: TriggerMemory;

	private failures = 0;

	private readonly context: ITriggerFunctions;

	constructor(context: ITriggerFunctions) {
		this.context = context;
		this.catchUp = new CatchUp(context, this.closed.signal);
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
		return (await this.catchUp.run(client, desired, isOn(options, 'includeUserForm'))) ?? INTERVAL_MS;
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
}

/** n8n calls this at each start and publish. In a test it calls `webhook()` and `execute()` only. */
export function startWatch(context: ITriggerFunctions): ITriggerResponse {
	const watch = new Watch(context);
	void watch.run();
	return { closeFunction: async () => watch.close() };
}
