import type { IHookFunctions } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError, asArgyleError } from '../transport/errors';
import type { SubscriptionRequest } from '../api/subscriptionRequest';
import { createSubscription, ensureDeleted, type Subscription, subscriptionsTo } from '../api/webhooks';

/** A subscription that was made, and whether a request without an answer may have made another. */
export interface Creation {
	created: Subscription;
	mayHaveDuplicate: boolean;
}

/**
 * Creates the subscription once. When the answer is lost, the service is asked whether it was made, by the secret
 * that nobody else knows, before it is asked again. A service that refuses a second subscription to one URL gets rid
 * first of those that send to ours. Throws ArgyleError.
 */
export async function createIdempotently(
	client: ArgyleClient,
	wanted: SubscriptionRequest,
	secret: string,
	urls: string[],
): Promise<Creation> {
	let unanswered = 0;
	const ours = async () => await subscriptionsTo(client, urls);
	async function find(): Promise<Subscription | undefined> {
		if (unanswered === 0) return undefined;
		const made = (await ours()).find((subscription) => subscription.secret === secret);
		if (made !== undefined) unanswered--;
		return made;
	}
	async function create(): Promise<Subscription> {
		const made = await find();
		if (made !== undefined) return made;
		return await createSubscription(client, wanted, secret).catch((caught: unknown) => {
			if (asArgyleError(caught).outcomeUnknown) unanswered++;
			throw caught;
		});
	}
	async function resolveConflict(caught: unknown): Promise<Subscription> {
		// What went wrong first says more than that nothing can be looked up either.
		const made = await find().catch(() => undefined);
		if (made !== undefined) return made;
		if (!isConflict(asArgyleError(caught))) throw caught;
		const obstacles = await ours();
		if (obstacles.length === 0) throw caught;
		await removeAll(
			client,
			obstacles.map(({ id }) => id),
		);
		return await client.retry(create);
	}
	const created = await client.retry(create).catch(resolveConflict);
	return { created, mayHaveDuplicate: unanswered > 0 };
}

/**
 * Whether Argyle allows one subscription a URL only is not documented; these are the ways in which such a service
 * would say so.
 */
function isConflict({ statusCode, description }: ArgyleError): boolean {
	return statusCode === 409 || (statusCode === 400 && /already|unique|duplicate/i.test(description));
}

/**
 * Removes subscriptions one by one; tells whether each of them was there. Throws ArgyleError naming the first that
 * stays behind.
 */
export async function removeAll(client: ArgyleClient, ids: string[]): Promise<boolean> {
	let wereThere = true;
	for (const id of ids) {
		const wasThere = await ensureDeleted(client, id).catch((error: unknown) => {
			throw staysBehind(id, error);
		});
		wereThere &&= wasThere;
	}
	return wereThere;
}

function staysBehind(id: string, error: unknown): ArgyleError {
	const { message, description, details: facts } = asArgyleError(error);
	return new ArgyleError(
		message,
		`The webhook subscription ${id} stays at Argyle for now. ${description} Publishing the workflow again removes it, and so does the Argyle Console under Developers > Webhooks.`,
		facts,
	);
}

/** Removes a subscription that was made in vain. When that fails too, the next activation finds it by its URL. */
export async function rollback(context: IHookFunctions, client: ArgyleClient, id: string): Promise<void> {
	await ensureDeleted(client, id).catch((error: unknown) => {
		context.logger.warn(`The Argyle subscription ${id} could not be undone; the next activation removes it`, {
			reason: String(error),
		});
	});
}
