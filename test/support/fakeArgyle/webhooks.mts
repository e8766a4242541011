import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import type { Assumed } from './assumed.mts';
import { EVENT_NAMES } from './eventNames.mts';
import { shownLastSent } from './lastSent.mts';
import { isListed, paginate } from './pagination.mts';
import type { ApiRequest } from './request.mts';
import {
	type ApiResponse,
	errorResponse,
	invalidFields,
	methodNotAllowed,
	notFound,
	recordOrNotFound,
} from './response.mts';
import type { Subscription } from './types.mts';

function errorsIn(
	{ events, name, url, secret, config }: Record<string, unknown>,
	assumed: Assumed,
): Record<string, string[]> {
	const errors: Record<string, string[]> = {};
	if (typeof name !== 'string' || name === '') errors.name = ['This field is required.'];
	if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) errors.url = ['Enter a valid URL.'];
	if (secret !== undefined && secret !== null && typeof secret !== 'string') errors.secret = ['Not a valid string.'];
	if (events === undefined) errors.events = ['This field is required.'];
	else if (!Array.isArray(events) || events.length === 0) errors.events = ['Expected a list of events.'];
	else if (events.includes('*') ? events.length > 1 : !events.every((event) => isTaken(event, assumed)))
		errors.events = ['Unknown event.'];
	else if (
		assumed.itemEventsWithoutItems === '400' &&
		events.some((event) => String(event).startsWith('items.')) &&
		!hasItems(config)
	)
		errors.config = ['"items" must name 1 to 30 Items.'];
	return errors;
}

function isTaken(event: unknown, assumed: Assumed): boolean {
	if (typeof event !== 'string') return false;
	if (!EVENT_NAMES.has(event)) return assumed.unknownEvent !== '400';
	return assumed.eventNames === 'all' || event !== 'vehicles.removed';
}

function hasItems(config: unknown): boolean {
	return isJson(config) && Array.isArray(config.items) && config.items.length > 0 && config.items.length <= 30;
}

export function newSubscription(
	request: Record<string, unknown>,
	now = new Date(Date.now()).toISOString(),
): Subscription {
	return {
		id: randomUUID(),
		created_at: now,
		updated_at: now,
		last_sent_at: null,
		events: Array.isArray(request.events) ? request.events.map(String) : [],
		url: String(request.url),
		config: isJson(request.config) ? { ...request.config } : {},
		name: String(request.name),
		secret: typeof request.secret === 'string' ? request.secret : null,
	};
}

interface WebhookApi {
	subscriptions: Map<string, Subscription>;
	assumed: Assumed;
	/** The time by Argyle's clock. */
	now: () => string;
	onCreated: (subscription: Subscription) => Promise<void>;
}

/** Serves `/v2/webhooks`. Waits for `onCreated` before it responds to a creation. */
export async function handleWebhooks(
	api: WebhookApi,
	{ method, url, body }: ApiRequest,
	id: string | undefined,
): Promise<ApiResponse> {
	const { subscriptions: store, assumed } = api;
	if (id !== undefined) {
		if (method === 'GET') return recordOrNotFound(shownOrNothing(store.get(id), assumed));
		if (method !== 'DELETE') return methodNotAllowed(method);
		const deleted = store.get(id);
		store.delete(id);
		if (deleted === undefined) return assumed.webhookDeletedTwice === '404' ? notFound() : { status: 204 };
		return assumed.statusOfDeletedWebhook === '200 with the record' ? { status: 200, body: deleted } : { status: 204 };
	}
	if (method === 'GET') return list(store, url, assumed);
	if (method !== 'POST') return methodNotAllowed(method);
	if (!isJson(body)) return errorResponse(400, 'JSON parse error.');
	const errors = errorsIn(body, assumed);
	if (assumed.twoWebhooksToOneUrl === 'no' && hasTwin(store, body)) errors.url = ['Already in use.'];
	if (Object.keys(errors).length > 0) return invalidFields(errors);
	const subscription = newSubscription(body, creationTime(api));
	store.set(subscription.id, subscription);
	await api.onCreated(subscription);
	const reply =
		assumed.replyToCreatedWebhook === 'the subscription'
			? shown(subscription, assumed)
			: { event: subscription.events[0], name: subscription.name, data: {} };
	return { status: Number(assumed.statusOfCreatedWebhook), body: reply };
}

const hasTwin = (store: Map<string, Subscription>, { url, name }: Record<string, unknown>) =>
	[...store.values()].some((other) => other.url === url && other.name === name);

const MINUTE = 60_000;

function shownCreation(createdAt: string, assumed: Assumed, now: number): { created_at?: string } {
	if (assumed.creationTimeOfWebhook === 'no') return {};
	if (assumed.createdAtStays === 'no') return { created_at: new Date(now).toISOString() };
	return { created_at: createdAt };
}

function creationTime({ now, assumed }: WebhookApi): string {
	const lateMs = assumed.clockOfCreatedWebhook === 'that of the creation' ? 0 : MINUTE;
	return new Date(Date.parse(now()) + lateMs).toISOString();
}

function shown(stored: Subscription, assumed: Assumed, now = Date.now()): object {
	const { created_at: createdAt, ...subscription } = stored;
	const { url, config, events, secret } = subscription;
	return {
		...subscription,
		...shownCreation(createdAt, assumed, now),
		url: assumed.urlOfWebhook === 'encoded' ? new URL(url).href : url,
		config: shownConfig(config, events, assumed),
		events: assumed.allEvents === 'one by one' && events.includes('*') ? [...EVENT_NAMES] : events,
		last_sent_at: shownLastSent(stored, assumed),
		secret: secret !== null && assumed.secretOfWebhook === 'no' ? '***' : secret,
	};
}

function shownConfig(config: unknown, events: string[], assumed: Assumed): unknown {
	const needsDays = events.some((event) => event.endsWith('.partially_synced'));
	if (needsDays && assumed.unsetDaysSynced === 'a number of days')
		return { days_synced: 90, ...(isJson(config) ? config : {}) };
	const isUnset = isJson(config) && Object.keys(config).length === 0;
	return isUnset && assumed.unsetConfig === 'null' ? null : config;
}

const shownOrNothing = (subscription: Subscription | undefined, assumed: Assumed) =>
	subscription && shown(subscription, assumed);

function list(store: Map<string, Subscription>, url: URL, assumed: Assumed): ApiResponse {
	for (const filter of ['from_created_at', 'to_created_at']) {
		if (Number.isNaN(timeOr(url.searchParams.get(filter), 0)))
			return invalidFields({ [filter]: ['Enter a valid date/time.'] });
	}
	return paginate(url, (query) => select([...store.values()], query, assumed), assumed);
}

/** Times are compared as numbers, because a filter may have another UTC offset or precision than the record. */
const timeOr = (time: string | null, fallback: number) => (time === null ? fallback : Date.parse(time));

function select(all: Subscription[], query: URLSearchParams, assumed: Assumed): object[] {
	const from = assumed.createdSince === 'all' ? -Infinity : timeOr(query.get('from_created_at'), -Infinity);
	const to = timeOr(query.get('to_created_at'), Infinity);
	const ordering = query.get('ordering') ?? (assumed.webhooksOrder === 'newest first' ? '-created_at' : 'created_at');
	const key = ordering.replace(/^-/, '') === 'id' ? 'id' : 'created_at';
	const isReversed = query.get('ordering') === 'created_at' && assumed.orderingOfWebhooks === 'newest first';
	const sign = ordering.startsWith('-') || isReversed ? -1 : 1;
	const now = Date.now();
	return all
		.filter(({ created_at }) => Date.parse(created_at) >= from && Date.parse(created_at) <= to)
		.filter((subscription) => isListed(subscription, assumed.webhookIsListed))
		.sort((one, other) => one[key].localeCompare(other[key]) * sign)
		.map((subscription) => shown(subscription, assumed, now));
}
