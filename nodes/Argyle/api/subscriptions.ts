import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError, undefinedWhenNotFound } from '../transport/errors';
import type { ArgyleRequest } from '../transport/request';
import { type ListRequest, listRecords } from './pagination';
import { isRecord, listOf, type StoredRecord } from './records';
import type { RecordType } from './recordTypes';
import { type AttemptOf, writeOnce } from './writeOnce';

const PATH = '/v2/webhooks';

/** The body of POST /v2/webhooks without the secret; `config` only where it contains something. */
export interface SubscriptionRequest {
	name: string;
	url: string;
	events: string[];
	config?: SubscriptionConfig;
}

/** The keys are Argyle's. */
export type SubscriptionConfig = Partial<{
	include_resource: true;
	days_synced: number;
	items: string[];
}>;

/** Only `id` is relied on; the rest is checked where it is used. */
export type Subscription = StoredRecord;

export const SUBSCRIPTIONS: RecordType = {
	one: 'webhook subscription',
	many: 'webhook subscriptions',
	path: PATH,
	filters: [],
};

export const SUBSCRIPTION_LIST: ListRequest = listOf(SUBSCRIPTIONS);

function toSubscription(value: unknown): Subscription {
	if (isRecord(value)) return value;
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

function creationOf(request: SubscriptionRequest, secret: string): ArgyleRequest {
	const body: IDataObject = { ...request, secret };
	return { method: 'POST', path: PATH, body, subject: `address ${PATH}`, secrets: [secret] };
}

/** Any 2xx is success: the OpenAPI file says 200, and a similar endpoint answers 201. */
export async function createSubscription(
	client: ArgyleClient,
	request: SubscriptionRequest,
	secret: string,
): Promise<Subscription> {
	return toSubscription(await client.json(creationOf(request, secret)));
}

/**
 * As `createSubscription`. After an unclear answer, this looks for the subscription by its URL, name and secret,
 * because several subscriptions may send to the URL.
 */
export async function createSubscriptionOnce(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	request: SubscriptionRequest,
	secret: string,
): Promise<Subscription> {
	const unclear = { what: 'the webhook subscription was created', check: 'Webhook Subscription: Get Many' };
	const record = await writeOnce(client, attemptOf, {
		request: { ...creationOf(request, secret), unclear },
		findCreated: async (isSince) =>
			(await subscriptionsTo(client, request.url)).filter(
				({ name, secret: own, created_at: createdAt }) => name === request.name && own === secret && isSince(createdAt),
			),
	});
	return toSubscription(record);
}

/** Fails with status 404 when there is none. */
export async function getSubscription(client: ArgyleClient, id: string): Promise<Subscription> {
	return toSubscription(await client.json({ method: 'GET', ...requestFor(id) }));
}

/** Deletes the subscription if it exists. Returns whether it did. */
export async function ensureDeleted(client: ArgyleClient, id: string): Promise<boolean> {
	const existed = await client.send({ method: 'DELETE', ...requestFor(id) }).then(() => true, undefinedWhenNotFound);
	return existed ?? false;
}

/** All subscriptions of the account: the list has no filter by URL. */
export async function listSubscriptions(client: ArgyleClient): Promise<Subscription[]> {
	return (await listRecords(client, SUBSCRIPTION_LIST, Infinity)).filter(isRecord);
}

/** One text for all spellings of a URL: upper-case host names, default ports and encoded blanks make no difference. */
export function normalUrl(url: unknown): string {
	return typeof url === 'string' && URL.canParse(url) ? new URL(url).href : String(url);
}

export const isSameUrl = (one: unknown, other: string) => normalUrl(one) === normalUrl(other);

/** The subscriptions that send to exactly this URL, however Argyle spells it: Argyle encodes what it is sent. */
export async function subscriptionsTo(client: ArgyleClient, url: string): Promise<Subscription[]> {
	return (await listSubscriptions(client)).filter((subscription) => isSameUrl(subscription.url, url));
}
