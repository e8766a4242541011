import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { isDataObject } from '../utils/json';
import { type ListRequest, listRecords } from './pagination';
import type { SubscriptionRequest } from './subscriptionRequest';

const PATH = '/v2/webhooks';

/** As the service stores it. Only `id` is relied on; the rest is checked where it is used. */
export type Subscription = IDataObject & { id: string };

export const SUBSCRIPTION_LIST: ListRequest = { path: PATH, subject: 'list of webhook subscriptions' };

const isSubscription = (value: unknown): value is Subscription =>
	isDataObject(value) && typeof value.id === 'string' && value.id !== '';

function toSubscription(value: unknown): Subscription {
	if (isSubscription(value)) return value;
	throw new ArgyleError(
		"Argyle sent a webhook subscription that can't be read",
		"It has no ID. If this goes on, ask Argyle's support.",
		{ outcomeUnknown: true, isTransient: true },
	);
}

const requestFor = (id: string) => ({
	path: `${PATH}/${encodeURIComponent(id)}`,
	subject: `webhook subscription ${id}`,
});

/** Any 2xx is success: the OpenAPI file says 200, a sibling endpoint really answers 201. */
export async function createSubscription(
	client: ArgyleClient,
	request: SubscriptionRequest,
	secret: string | undefined,
): Promise<Subscription> {
	const body: IDataObject = { ...request, ...(secret === undefined ? {} : { secret }) };
	const secrets = secret === undefined ? [] : [secret];
	return toSubscription(
		await client.json({ method: 'POST', path: PATH, body, subject: 'place to create webhook subscriptions', secrets }),
	);
}

/** Throws ArgyleError with status 404 when there is none. */
export async function getSubscription(client: ArgyleClient, id: string): Promise<Subscription> {
	return toSubscription(await client.json({ method: 'GET', ...requestFor(id) }));
}

export async function findSubscription(client: ArgyleClient, id: string): Promise<Subscription | undefined> {
	return await getSubscription(client, id).catch(undefinedWhenNotFound);
}

/** Throws ArgyleError with status 404 when there is none. */
export async function deleteSubscription(client: ArgyleClient, id: string): Promise<void> {
	await client.send({ method: 'DELETE', ...requestFor(id) });
}

/** Deletes the subscription if it exists. Returns whether it did. */
export async function ensureDeleted(client: ArgyleClient, id: string): Promise<boolean> {
	const existed = await deleteSubscription(client, id).then(() => true, undefinedWhenNotFound);
	return existed ?? false;
}

/**
 * Every subscription that sends to exactly one of these URLs; reads all pages, because the list has no filter by URL.
 */
export async function subscriptionsTo(client: ArgyleClient, urls: string[]): Promise<Subscription[]> {
	const records = await listRecords(client, SUBSCRIPTION_LIST, Infinity);
	return records.filter(isSubscription).filter(({ url }) => typeof url === 'string' && urls.includes(url));
}
