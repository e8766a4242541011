import type { ITriggerFunctions } from 'n8n-workflow';

import { isSubscribed } from '../api/delivery';
import { deriveSecret } from '../api/secret';
import { type Subscription, subscriptionsTo } from '../api/subscriptions';
import { isOn } from '../shared/parameters';
import { type ArgyleClient, connect } from '../transport/client';
import { recentLists } from './accountLists';
import { CatchUp, WATCH_TIMING } from './forms/missedForms';
import { desiredSubscription } from './subscription/desired';
import { warnOfLeftSubscription } from './subscription/orphan';
import { subscriptionMutex } from './lifecycle';
import { DELIVERY_TIME_MS } from './forms/formList';
import { optionsOf } from './settings';
import {
	type DesiredSubscription,
	findDesired,
	idsOf,
	ownSubscriptions,
	removeAll,
	replaceSubscriptions,
	rollBack,
} from './subscription/reconcile';
import { assertReachable } from './subscription/publicUrl';
import { bookmarkIn, creationTime, lastRegistration, registrationOf } from './forms/bookmark';
import { FORM_SUBMITTED } from './submittedForm';
import { formsTakenElsewhere } from './forms/knownForms';
import { rememberedSubscription, rememberSubscription, type TriggerMemory, triggerMemory } from './triggerMemory';

/** While the hooks register the trigger. */
const SOON_MS = 30_000;

/** Whether the subscription is there as it is wanted, and whether a form was missed. */
export class WatchedSubscription {
	/** Five minutes, less what a look takes. */
	readonly intervalMs = 285_000;

	private readonly catchUp: CatchUp;

	private readonly memory: TriggerMemory;

	private readonly context: ITriggerFunctions;

	private readonly closed: AbortSignal;

	constructor(context: ITriggerFunctions, closed: AbortSignal) {
		this.context = context;
		this.closed = closed;
		this.catchUp = new CatchUp(context, closed);
		this.memory = triggerMemory(context);
	}

	async look(): Promise<number> {
		const url = this.memory.publishedUrl;
		if (url === undefined) return SOON_MS;
		const client = await connect(this.context, WATCH_TIMING);
		assertReachable(url, client.environment);
		const request = desiredSubscription(this.context, url);
		const desired = { request, secret: deriveSecret(client.credential, url) };
		await this.ensureSubscription(client, desired);
		const catchesUp = isOn(optionsOf(this.context), 'catchUp', true);
		if (!catchesUp || !isSubscribed(FORM_SUBMITTED, request.events)) return this.intervalMs;
		const delay = await this.catchUp.run(client, {
			name: request.name,
			deliveryTimeMs: DELIVERY_TIME_MS,
			takenElsewhere: async (forms) => await formsTakenElsewhere(this.context, url, desired.secret, forms),
		});
		return delay ?? this.intervalMs;
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
		if (this.closed.aborted || memory.publishedUrl !== url) return;
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
		if (this.closed.aborted) return await rollBack(client, created.id, context.logger);
		context.logger.info(`The Argyle Trigger registered its subscription again: ${created.id}`);
		warnOfLeftSubscription(context.logger, lastRegistration(context), { url, account: client.account }, own);
		rememberSubscription(url, undefined);
		this.remember(client, url, created, bookmark ?? creationTime(created));
		if (mayHaveDuplicate) rememberSubscription(url, undefined);
	}
}
