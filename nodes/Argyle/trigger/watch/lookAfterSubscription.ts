import { subscriptionsTo } from '../../api/subscriptions';
import { assertReachable } from '../../shared/publicUrl';
import type { ArgyleClient } from '../../transport/client';
import { ArgyleError } from '../../transport/errors';
import { askOwnUrl } from '../delivery/askOwnUrl';
import { isSameAccount } from '../starts/knownAccount';
import { MissedEvents } from '../starts/missedEvents';
import { MAX_UNSAVED } from '../state/limits';
import { caughtUpEvents } from '../state/settings';
import { SubscriptionState } from '../state/subscriptionState';
import { LOOK_SOON_MS } from '../state/timing';
import type { Watched } from '../state/watched';
import { type DesiredSubscription, desiredSubscription } from '../subscription/desiredSubscription';
import { bindWish, learnWish } from '../subscription/learnWish';
import { isReconciled, reconcile, rememberRegistered, rollBack, subscriptionMutex } from '../subscription/reconcile';
import { LossWatch } from './lossWatch';
import { reportGap } from './reportLoss';
import { connectToLook, recentLists, type SharedLists } from './sharedLists';

const noCreationTime = () =>
	new ArgyleError(
		'Argyle does not say when it created the webhook subscription of this workflow',
		"So n8n can't tell which missed events count, and starts none of them. Events that Argyle delivers start the workflow. If this goes on, ask Argyle's support.",
	);

/** What a look needs to call the trigger's own URL. */
interface Called {
	client: ArgyleClient;
	desired: DesiredSubscription;
}

/**
 * Returns the look of a trigger with a subscription. It checks whether the subscription is there as it is wanted,
 * whether n8n listens, and whether an event was missed.
 */
export function lookAfterSubscription(watched: Watched): () => Promise<number | undefined> {
	const { context, trigger, settings, closed } = watched;
	const { publication, wish, starts, notes } = trigger;
	const events = caughtUpEvents(settings);
	const missedEvents = new MissedEvents(watched);
	const lossWatch = new LossWatch(watched);
	/** Of the last look that has got so far. */
	let last: Called | undefined;
	/** What the last call to the own URL has found out. */
	let notRegistered: ArgyleError | undefined;

	const isOver = (url: string) => closed.aborted || publication.url !== url;

	/** Finds out since when events count. Returns whether the trigger begins anew now. */
	async function recognize(lists: SharedLists, url: string): Promise<boolean> {
		const { client } = lists;
		const own = await lists.subscriptionsTo(url);
		if (wish.isUnread) {
			const named = await lists.subscription(trigger.subscriptionId);
			learnWish(trigger, client, events, { own, named });
			return wish.isNew;
		}
		if (await isSameAccount(trigger, client, own)) return false;
		trigger.begin();
		notes.gap.write({ after: lossWatch.lookedAt, until: client.toServiceTime(Date.now()) });
		return true;
	}

	/** Returns what is registered, undefined when the workflow was closed meanwhile. */
	async function repair({ client, desired }: Called, isNewBeginning: boolean) {
		const { url } = desired.request;
		if (isOver(url)) return undefined;
		const own = await subscriptionsTo(client, url);
		const registered = await reconcile(context, client, desired, own, isNewBeginning);
		const { subscription, isNew } = registered;
		if (closed.aborted && isNew) await rollBack(client, subscription.id, context.logger);
		else if (isNew) context.logger.info(`The Argyle Trigger registered its subscription again: ${subscription.id}`);
		return closed.aborted ? undefined : registered;
	}

	/** As `AskReceived`. It also saves static data. */
	async function ask({ client, desired }: Called, keys: string[], claimed: string[]): Promise<string[]> {
		const { unsavedCount } = starts;
		const state = trigger.state(client) ?? {};
		const answer = await askOwnUrl(context, desired.request.url, client.credential, { keys, claimed, state });
		if (answer.isSaved) starts.onSaved(unsavedCount);
		else if (starts.unsavedCount >= MAX_UNSAVED) missedEvents.executions.save();
		if (answer.isElsewhere) trigger.witness.onCallElsewhere();
		({ notRegistered } = answer);
		return answer.received;
	}

	async function look(): Promise<number | undefined> {
		const { url } = publication;
		if (url === undefined) return LOOK_SOON_MS;
		const connected = await connectToLook(context);
		assertReachable(url, connected.environment);
		const desired = desiredSubscription(settings, url, connected.credential);
		const lists = recentLists(connected);
		const called = { client: lists.client, desired };
		const own = await lists.subscriptionsTo(url);
		if (isOver(url)) return LOOK_SOON_MS;
		const isNewBeginning = await recognize(lists, url);
		const { id: known = own[0]?.id } = SubscriptionState.to(url);
		// What another trigger has just read may be from before a publish.
		const isThere = !isNewBeginning && isReconciled(own, desired) && own[0].id === known;
		if (isThere) rememberRegistered(context, desired, own[0]);
		const registered = isThere
			? { subscription: own[0], isNew: false }
			: await subscriptionMutex.run(url, async () => await repair(called, isNewBeginning));
		if (registered === undefined) return LOOK_SOON_MS;
		const isKnown = bindWish(trigger, called.client, events, registered);
		last = called;
		reportGap(watched, notes.gap.take());
		let hasAsked = false;
		const askOnce = async (keys: string[], claimed: string[]) => {
			hasAsked = true;
			return await ask(called, keys, claimed);
		};
		const nextLook =
			events.length > 0 && isKnown ? await missedEvents.look(lists.of(events), true, askOnce) : undefined;
		if (!hasAsked) await ask(called, [], []);
		// If the subscription was replaced, only the old one says when Argyle last sent something.
		if (lossWatch.look(called.client, own.at(0) ?? registered.subscription)) missedEvents.scan.soon();
		const trouble = isKnown ? notRegistered : noCreationTime();
		if (trouble !== undefined) throw trouble;
		return nextLook;
	}

	return async () =>
		await look().catch(async (error: unknown) => {
			// n8n can receive deliveries even if a look fails, so that it ran is saved all the same.
			if (last !== undefined && !isOver(last.desired.request.url)) await ask(last, [], []).catch(() => undefined);
			throw error;
		});
}
