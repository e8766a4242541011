import type { ITriggerFunctions } from 'n8n-workflow';

import { isSameUrl, type Subscription, subscriptionsTo } from '../../api/subscriptions';
import { assertReachable } from '../../shared/publicUrl';
import type { ArgyleClient } from '../../transport/client';
import type { ArgyleError } from '../../transport/errors';
import { clock, isWithin } from '../../utils/clock';
import { askOwnUrl } from '../delivery/askOwnUrl';
import { creationTime, showKnownEvent } from '../starts/ensureBookmark';
import { MissedEvents } from '../starts/missedEvents';
import { caughtUpEvents, type TriggerSettings } from '../state/settings';
import { canLoseEvents, reportLoss } from './reportLoss';
import { connectToLook, recentLists } from './sharedLists';
import { type DesiredSubscription, desiredSubscription } from '../subscription/desiredSubscription';
import { isReconciled, noteRegistered, reconcile, rollBack, subscriptionMutex } from '../subscription/reconcile';
import { LOOK_SOON_MS, OWN_URL_CHECK_MS, SAVE_AGAIN_MS, SCAN_REACH_MS } from '../state/timing';
import type { Trigger } from '../state/trigger';

/** How often a look tries to save static data. */
const SAVE_TRIES = 10;

/**
 * Returns the look of a trigger with a subscription. It checks whether the subscription is there as it is wanted,
 * whether n8n listens, and whether an event was missed. `startedAt` is when n8n has started. It is undefined after a
 * publish.
 */
export function lookAfterSubscription(
	context: ITriggerFunctions,
	trigger: Trigger,
	settings: TriggerSettings,
	closed: AbortSignal,
	startedAt: number | undefined,
): () => Promise<number | undefined> {
	const { logger } = context;
	const { publication } = trigger;
	const events = caughtUpEvents(settings);
	const canLose = canLoseEvents(settings);
	const missedEvents = new MissedEvents(context, trigger, settings, closed);
	let askedAt = Date.now();
	let savedState = '';
	let savedRunningAt: number | undefined;
	let notRegistered: ArgyleError | undefined;
	/** Whether the trigger itself has answered the last call to its URL. */
	let isAnswered = false;
	let lastDesired: DesiredSubscription | undefined;
	/** The client of the last look that has found a subscription. */
	let lastClient: ArgyleClient | undefined;
	/** Whether the trigger was published when n8n stopped, as far as this can be told. Undefined until the first look. */
	let isPublished: boolean | undefined;
	let sentBeforeStart = startedAt && trigger.calls.sentAt;

	const isOver = (url: string) => closed.aborted || publication.url !== url;

	/** Returns the subscription, undefined when the workflow was closed meanwhile. */
	async function repair(client: ArgyleClient, desired: DesiredSubscription): Promise<Subscription | undefined> {
		const { url } = desired.request;
		if (isOver(url)) return undefined;
		const own = await subscriptionsTo(client, url);
		const { subscription, isNew } = await reconcile(context, trigger, client, desired, own);
		if (closed.aborted && isNew) await rollBack(client, subscription.id, logger);
		else if (isNew) logger.info(`The Argyle Trigger registered its subscription again: ${subscription.id}`);
		return closed.aborted ? undefined : subscription;
	}

	async function ask({ request: { url }, secret }: DesiredSubscription, keys: string[], taken: string[]) {
		askedAt = Date.now();
		const { state, unsaved } = trigger;
		const text = JSON.stringify(state);
		const question = { keys, taken, state: { ...state, isSavedByLook: true } };
		const answer = await askOwnUrl(context, { url, secret }, question);
		({ notRegistered, isAnswered } = answer);
		trigger.isSavedByUrl = answer.isSaved;
		if (answer.isElsewhere === true) trigger.calls.noteElsewhere(Date.now());
		if (answer.isSaved) {
			if (savedRunningAt !== undefined && answer.keptAt !== savedRunningAt) trigger.calls.noteSetBack();
			savedRunningAt = state.runningAt;
			savedState = text;
			trigger.unsaved = Math.max(0, trigger.unsaved - unsaved);
		}
		return answer.received;
	}

	/**
	 * A call saves nothing if n8n is too busy to answer it within milliseconds. Then it is repeated soon, because n8n may
	 * stop before the next look.
	 */
	async function save(desired: DesiredSubscription): Promise<void> {
		for (let tries = 1; ; tries++) {
			await ask(desired, [], []);
			if (tries === SAVE_TRIES || !isAnswered || trigger.isSavedByUrl) return;
			await clock.pause(SAVE_AGAIN_MS, closed);
			if (closed.aborted) return;
		}
	}

	function lookForLoss(client: ArgyleClient, { last_sent_at: lastSentAt }: Subscription): void {
		const sentAt = Date.parse(String(lastSentAt));
		const { calls } = trigger;
		const offsetMs = client.toServiceTime(0);
		if (Number.isNaN(sentAt)) calls.noteNothingSent(Date.now());
		const loss = Number.isNaN(sentAt) ? undefined : calls.lossAt(sentAt, Date.now(), offsetMs);
		if (canLose) calls.noteRunning(Date.now(), offsetMs);
		if (sentAt === sentBeforeStart)
			logger.info('While n8n was stopped, Argyle sent nothing to this workflow, except perhaps in the last minute');
		sentBeforeStart = undefined;
		// The hint may be wrong, but a needless scan does no harm.
		if (calls.takeHint(Date.now()) || loss !== undefined) missedEvents.scanSoon();
		if (loss === undefined) return;
		reportLoss(context, settings, loss, client.toServiceTime(Date.now()) - SCAN_REACH_MS);
	}

	/**
	 * Whether the trigger was published when n8n stopped, even if static data was set back. It was, if a look was the last
	 * to save static data, or if the subscription that this look has found (`before`) was created after the trigger was
	 * last taken down. It also counts as published if n8n's address has changed, because then the look can't find the
	 * subscription.
	 */
	function wasPublished(client: ArgyleClient, before: Subscription | undefined, url: string): boolean {
		const { wasWatched, takenDownBefore = -Infinity } = publication;
		const { bookmark, registered } = trigger;
		const hasMoved = bookmark !== undefined && registered !== undefined && !isSameUrl(registered.url, url);
		return (
			wasWatched || hasMoved || (before !== undefined && creationTime(before) > client.toServiceTime(takenDownBefore))
		);
	}

	/** `before` is the subscription that the look has found, and `subscription` the one that is there now. */
	async function restoreOrBeginBookmark(
		client: ArgyleClient,
		before: Subscription | undefined,
		subscription: Subscription,
		isSameAccount: () => Promise<boolean>,
	): Promise<void> {
		if (startedAt !== undefined && !isPublished && publication.isDoubtfulStart) {
			trigger.beginBookmark(client, { time: client.toServiceTime(startedAt) }, true);
			isPublished = true;
		} else if (!(await trigger.keepBookmark(client, isSameAccount))) {
			if (before !== undefined && !trigger.isImported)
				trigger.beginBookmark(client, { time: creationTime(before) }, false);
			else if (startedAt === undefined) trigger.beginBookmark(client, { time: creationTime(subscription) }, true);
			else if (publication.wasUnpublished)
				trigger.beginBookmark(client, { time: client.toServiceTime(startedAt) }, true);
			else trigger.restoreBookmark(client, startedAt);
		}
	}

	async function look(): Promise<number | undefined> {
		const url = publication.url;
		if (url === undefined) return LOOK_SOON_MS;
		const connected = await connectToLook(context);
		assertReachable(url, connected.environment);
		const desired = desiredSubscription(settings, url, connected.credential);
		lastDesired = desired;
		const lists = recentLists(connected);
		const { client } = lists;
		const own = await lists.subscriptionsTo(url);
		if (isOver(url)) return LOOK_SOON_MS;
		const { id: lastId } = trigger.registered ?? {};
		const [before]: Array<Subscription | undefined> = own;
		isPublished ??= wasPublished(client, before, url);
		let subscription: Subscription | undefined = before;
		if (isReconciled(own, desired)) noteRegistered(context, trigger, desired, own[0]);
		else subscription = await subscriptionMutex.run(url, async () => await repair(client, desired));
		if (subscription === undefined) return LOOK_SOON_MS;
		// If the subscription was replaced, only the old one says when Argyle last sent something.
		lookForLoss(client, before ?? subscription);
		lastClient = client;
		let nextLook: number | undefined;
		if (events.length > 0) {
			const eventLists = lists.of(events);
			const isSameAccount = async () =>
				own.some(({ id }) => id === lastId) || (await showKnownEvent(trigger, eventLists));
			await restoreOrBeginBookmark(client, before, subscription, isSameAccount);
			trigger.want(events, client, startedAt);
			nextLook = await missedEvents.look(eventLists, async (keys, taken) => await ask(desired, keys, taken));
		}
		const isDue = !isWithin(OWN_URL_CHECK_MS, askedAt, Date.now()) || JSON.stringify(trigger.state) !== savedState;
		if (notRegistered !== undefined || isDue) await save(desired);
		if (notRegistered !== undefined) throw notRegistered;
		// This comes last: if a look fails before, the next one is still the first after the start.
		startedAt = undefined;
		return nextLook;
	}

	/**
	 * n8n can receive deliveries even if a look fails, so the time when n8n ran is saved all the same. If n8n does not
	 * know the trigger's URL, it can't receive any.
	 */
	async function saveThatN8nRuns(): Promise<void> {
		if (!canLose || notRegistered !== undefined) return;
		if (lastDesired === undefined || isOver(lastDesired.request.url)) return;
		trigger.calls.noteRunning(Date.now());
		await save(lastDesired);
	}

	/** The publish of a change replaces the subscription, and only the old one says when Argyle last sent something. */
	async function lookOnceMore(): Promise<void> {
		if (!canLose || lastClient === undefined || lastDesired === undefined) return;
		const { url } = lastDesired.request;
		const [subscription]: Array<Subscription | undefined> = await subscriptionsTo(lastClient, url);
		if (subscription !== undefined) lookForLoss(lastClient, subscription);
	}
	closed.addEventListener('abort', () => void lookOnceMore().catch(() => {}), { once: true });

	return async () =>
		await look().catch(async (error: unknown) => {
			await saveThatN8nRuns();
			throw error;
		});
}
