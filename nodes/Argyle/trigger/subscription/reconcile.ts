import type { IHookFunctions, ITriggerFunctions, Logger } from 'n8n-workflow';

import { createSubscription, ensureDeleted, type Subscription, subscriptionsTo } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { ArgyleError, asArgyleError } from '../../transport/errors';
import { KeyedMutex } from '../../utils/concurrency';
import { knowSecrets } from '../state/knownSecrets';
import { SubscriptionState } from '../state/subscriptionState';
import { type DesiredSubscription, isDesired, rememberCreated } from './desiredSubscription';

/** The hooks (`lifecycle.ts`) and the watch (`watch.ts`) change the subscriptions to a URL one after the other. */
export const subscriptionMutex = new KeyedMutex();

/** What sends to the trigger's URL now. */
interface Reconciled {
	subscription: Subscription;
	/** Whether it was created just now. */
	isNew: boolean;
}

/** The subscription that is as desired; of several the first, so that every process keeps the same one. */
const findDesired = (own: Subscription[], desired: DesiredSubscription) =>
	own.find((subscription) => isDesired(subscription, desired));

/** Whether exactly the desired subscription is there. */
export function isReconciled(own: Subscription[], desired: DesiredSubscription): boolean {
	return own.length === 1 && own.every((subscription) => isDesired(subscription, desired));
}

/**
 * Makes sure that exactly the desired subscription sends to its URL. It keeps or creates that subscription, then
 * removes the others, so that no event is lost in between. If one of them can't be removed, it removes the new one
 * again. `own` are the subscriptions to the URL. A new beginning keeps none of them: each says since when events count.
 */
export async function reconcile(
	context: IHookFunctions | ITriggerFunctions,
	client: ArgyleClient,
	desired: DesiredSubscription,
	own: Subscription[],
	isNewBeginning: boolean,
): Promise<Reconciled> {
	const { url } = desired.request;
	knowSecrets(context, url, own);
	const kept = isNewBeginning ? undefined : findDesired(own, desired);
	const { created, mayHaveTwin } =
		kept === undefined ? await createIdempotently(client, desired, own) : { created: kept, mayHaveTwin: false };
	const isNew = kept === undefined;
	// Seconds ago, this process may have created a subscription that Argyle's list does not show yet. Then there are two
	// now.
	const { id: knownId, created: lastCreated } = SubscriptionState.to(url);
	const isCreatedHere = knownId !== undefined && lastCreated?.id === knownId;
	const mayBeHidden = isNew && isCreatedHere && own.every(({ id }) => id !== knownId);
	if (isNew) rememberCreated(created, desired);
	const others = own.filter(({ id }) => id !== created.id);
	await removeAll(client, idsOf(others)).catch(async (obstacle: unknown) => {
		if (isNew) await rollBack(client, created.id, context.logger);
		throw obstacle;
	});
	rememberRegistered(context, desired, created);
	// If another one may send to the URL, the ID counts as unknown: the removal then looks for all that send there.
	if (mayHaveTwin || mayBeHidden) SubscriptionState.to(url).know(undefined);
	return { subscription: created, isNew };
}

/** Remembers a subscription that is as desired, and its secret. */
export function rememberRegistered(
	context: IHookFunctions | ITriggerFunctions,
	{ request: { url }, secret }: DesiredSubscription,
	{ id }: Subscription,
): void {
	SubscriptionState.to(url).know(id);
	knowSecrets(context, url, [{ secret }]);
}

interface Creation {
	created: Subscription;
	/** Whether a request whose response was lost may create a second subscription. */
	mayHaveTwin: boolean;
}

/**
 * Creates the desired subscription, but only once. After a lost response, it first asks Argyle whether there is one
 * that was not there `before`. Only if not, it creates the subscription again.
 */
async function createIdempotently(
	client: ArgyleClient,
	desired: DesiredSubscription,
	before: Subscription[],
): Promise<Creation> {
	const { request, secret } = desired;
	let unknownOutcomes = 0;
	async function findCreated(): Promise<Subscription | undefined> {
		if (unknownOutcomes === 0) return undefined;
		const own = await subscriptionsTo(client, request.url);
		const isAdded = ({ id }: Subscription) => before.every((each) => each.id !== id);
		const found = findDesired(own.filter(isAdded), desired);
		if (found !== undefined) unknownOutcomes--;
		return found;
	}
	async function create(): Promise<Subscription> {
		const found = await findCreated();
		if (found !== undefined) return found;
		return await createSubscription(client, request, secret).catch((caught: unknown) => {
			if (asArgyleError(caught).details.outcomeUnknown) unknownOutcomes++;
			throw caught;
		});
	}
	const created = await client.retry(create).catch(async (caught: unknown) => {
		// If the search fails too, the first error says more.
		const found = await findCreated().catch(() => undefined);
		if (found === undefined) throw caught;
		return found;
	});
	return { created, mayHaveTwin: unknownOutcomes > 0 };
}

/** Returns whether all of them existed. Throws ArgyleError naming the first that stays behind. */
export async function removeAll(client: ArgyleClient, ids: string[]): Promise<boolean> {
	let allExisted = true;
	for (const id of ids) {
		const existed = await ensureDeleted(client, id).catch((error: unknown) => {
			throw staysBehind(id, error);
		});
		allExisted &&= existed;
	}
	return allExisted;
}

export const idsOf = (subscriptions: Subscription[]) => subscriptions.map(({ id }) => id);

export function staysBehind(id: string, error: unknown): ArgyleError {
	const { message, description, details } = asArgyleError(error);
	return new ArgyleError(
		message,
		`The webhook subscription ${id} stays at Argyle for now. ${description} Publishing the workflow again removes it, and so does the Argyle Console under Developers > Webhooks.`,
		details,
	);
}

/** Removes what was just created. If this fails, the next look or publish finds it by its URL. */
export async function rollBack(client: ArgyleClient, id: string, logger: Logger): Promise<void> {
	await ensureDeleted(client, id).catch((error: unknown) => {
		logger.warn(`The Argyle subscription ${id} could not be removed; the next publish tries again`, {
			reason: String(error),
		});
	});
}
