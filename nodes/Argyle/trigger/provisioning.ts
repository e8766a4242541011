import type { IHookFunctions } from 'n8n-workflow';

import type { SubscriptionRequest } from '../api/subscriptionRequest';
import { createSubscription, ensureDeleted, type Subscription, subscriptionsTo } from '../api/webhooks';
import type { ArgyleClient } from '../transport/client';
import { ArgyleError, asArgyleError } from '../transport/errors';

interface Creation {
	created: Subscription;
	/** Whether a request whose response was lost may have created a second one. */
	mayHaveDuplicate: boolean;
}

/**
 * Creates the subscription once. After a lost response the service is asked, by the secret that nobody else knows,
 * whether it was created, before it is created again. Where the service refuses a second subscription to one URL, those
 * that send to ours are deleted first. Throws ArgyleError.
 */
export async function createIdempotently(
	client: ArgyleClient,
	desired: SubscriptionRequest,
	secret: string,
	urls: string[],
): Promise<Creation> {
	let unknownOutcomes = 0;
	const findOurs = async () => await subscriptionsTo(client, urls);
	async function findCreated(): Promise<Subscription | undefined> {
		if (unknownOutcomes === 0) return undefined;
		const found = (await findOurs()).find((subscription) => subscription.secret === secret);
		if (found !== undefined) unknownOutcomes--;
		return found;
	}
	async function create(): Promise<Subscription> {
		const found = await findCreated();
		if (found !== undefined) return found;
		return await createSubscription(client, desired, secret).catch((caught: unknown) => {
			if (asArgyleError(caught).outcomeUnknown) unknownOutcomes++;
			throw caught;
		});
	}
	async function resolveConflict(caught: unknown): Promise<Subscription> {
		// When the search fails too, the first error says more.
		const found = await findCreated().catch(() => undefined);
		if (found !== undefined) return found;
		if (!isConflict(asArgyleError(caught))) throw caught;
		const conflicting = await findOurs();
		if (conflicting.length === 0) throw caught;
		await removeAll(
			client,
			conflicting.map(({ id }) => id),
		);
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

function staysBehind(id: string, error: unknown): ArgyleError {
	const { message, description, details } = asArgyleError(error);
	return new ArgyleError(
		message,
		`The webhook subscription ${id} stays at Argyle for now. ${description} Publishing the workflow again removes it, and so does the Argyle Console under Developers > Webhooks.`,
		details,
	);
}

/** When this fails too, the next activation finds the subscription by its URL. */
export async function rollback(context: IHookFunctions, client: ArgyleClient, id: string): Promise<void> {
	await ensureDeleted(client, id).catch((error: unknown) => {
		context.logger.warn(`The Argyle subscription ${id} could not be undone; the next activation removes it`, {
			reason: String(error),
		});
	});
}
