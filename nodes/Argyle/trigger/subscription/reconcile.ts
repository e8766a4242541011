import type { Logger } from 'n8n-workflow';

import type { SubscriptionRequest } from '../../api/subscriptionRequest';
import {
	createSubscription,
	ensureDeleted,
	listSubscriptions,
	type Subscription,
	subscriptionsTo,
} from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { ArgyleError, asArgyleError } from '../../transport/errors';
import { matches } from './desired';

/** A subscription as the trigger wants it, with its signing secret. */
export interface DesiredSubscription {
	request: SubscriptionRequest;
	secret: string;
}

interface Creation {
	created: Subscription;
	/** Whether a request whose response was lost may have created a second one. */
	mayHaveDuplicate: boolean;
}

/** The subscriptions to the trigger's own URL, and no others. */
export async function ownSubscriptions(client: ArgyleClient, url: string): Promise<Subscription[]> {
	return subscriptionsTo(url, await listSubscriptions(client));
}

/** The one that is as desired. Of several the first, so that every process keeps the same one. */
export function findDesired(own: Subscription[], { request, secret }: DesiredSubscription): Subscription | undefined {
	return own.find((subscription) => subscription.secret === secret && matches(subscription, request));
}

/**
 * Creates the subscription, then removes those that it replaces, so that no event is lost in between. When one of them
 * can't be removed, the new one is rolled back. Throws ArgyleError.
 */
export async function replaceSubscriptions(
	client: ArgyleClient,
	desired: DesiredSubscription,
	replaced: Subscription[],
	logger: Logger,
): Promise<Creation> {
	const creation = await createIdempotently(client, desired, replaced);
	await removeAll(client, idsOf(replaced)).catch(async (obstacle: unknown) => {
		await rollBack(client, creation.created.id, logger);
		throw obstacle;
	});
	return creation;
}

/**
 * Creates the subscription once. After a lost response the service is asked whether there is one that was not there
 * before, then it is created again. Where the service refuses a second subscription to one URL, those that are replaced
 * are deleted first.
 */
async function createIdempotently(
	client: ArgyleClient,
	desired: DesiredSubscription,
	replaced: Subscription[],
): Promise<Creation> {
	const { request, secret } = desired;
	const replacedIds = new Set(idsOf(replaced));
	let unknownOutcomes = 0;
	async function findCreated(): Promise<Subscription | undefined> {
		if (unknownOutcomes === 0) return undefined;
		const own = await ownSubscriptions(client, request.url);
		const found = findDesired(
			own.filter(({ id }) => !replacedIds.has(id)),
			desired,
		);
		if (found !== undefined) unknownOutcomes--;
		return found;
	}
	async function create(): Promise<Subscription> {
		const found = await findCreated();
		if (found !== undefined) return found;
		return await createSubscription(client, request, secret).catch((caught: unknown) => {
			if (asArgyleError(caught).outcomeUnknown) unknownOutcomes++;
			throw caught;
		});
	}
	async function resolveConflict(caught: unknown): Promise<Subscription> {
		// When the search fails too, the first error says more.
		const found = await findCreated().catch(() => undefined);
		if (found !== undefined) return found;
		if (!isConflict(asArgyleError(caught))) throw caught;
		const conflicting = await ownSubscriptions(client, request.url);
		if (conflicting.length === 0) throw caught;
		await removeAll(client, idsOf(conflicting));
		return await client.retry(create);
	}
	const created = await client.retry(create).catch(resolveConflict);
	return { created, mayHaveDuplicate: unknownOutcomes > 0 };
}

/** Whether Argyle allows only one subscription per URL is not documented; this is how such a service would say so. */
function isConflict({ statusCode, description }: ArgyleError): boolean {
	return statusCode === 409 || (statusCode === 400 && /already|unique|duplicate/i.test(description));
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

/** Whoever looks next finds it by its URL, should this fail. */
export async function rollBack(client: ArgyleClient, id: string, logger: Logger): Promise<void> {
	await ensureDeleted(client, id).catch((error: unknown) => {
		logger.warn(`The Argyle subscription ${id} could not be undone; the next activation removes it`, {
			reason: String(error),
		});
	});
}
