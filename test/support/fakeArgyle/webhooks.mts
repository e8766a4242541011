import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import { EVENT_NAMES } from './eventNames.mts';
import { paginate } from './pagination.mts';
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

function errorsIn({ events, name, url, secret, config }: Record<string, unknown>): Record<string, string[]> {
	const errors: Record<string, string[]> = {};
	if (typeof name !== 'string' || name === '') errors.name = ['This field is required.'];
	if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) errors.url = ['Enter a valid URL.'];
	if (secret !== undefined && secret !== null && typeof secret !== 'string') errors.secret = ['Not a valid string.'];
	if (events === undefined) errors.events = ['This field is required.'];
	else if (!Array.isArray(events) || events.length === 0) errors.events = ['Expected a list of events.'];
	else if (events.includes('*') ? events.length > 1 : !events.every((event) => EVENT_NAMES.has(event)))
		errors.events = ['Unknown event.'];
	else if (events.some((event) => String(event).startsWith('items.')) && !hasItems(config))
		errors.config = ['"items" must name 1 to 30 Items.'];
	return errors;
}

function hasItems(config: unknown): boolean {
	return isJson(config) && Array.isArray(config.items) && config.items.length > 0 && config.items.length <= 30;
}

/** The subscription that a valid request creates. */
export function newSubscription(request: Record<string, unknown>): Subscription {
	const now = new Date(Date.now()).toISOString();
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

/** Serves `/v2/webhooks`. Waits for `onCreated` before it responds to a creation. */
export async function handleWebhooks(
	store: Map<string, Subscription>,
	{ method, url, body }: ApiRequest,
	id: string | undefined,
	onCreated: (subscription: Subscription) => Promise<void>,
): Promise<ApiResponse> {
	if (id !== undefined) {
		if (method === 'GET') return recordOrNotFound(store.get(id));
		if (method !== 'DELETE') return methodNotAllowed(method);
		return store.delete(id) ? { status: 204 } : notFound();
	}
	if (method === 'GET') return list(store, url);
	if (method !== 'POST') return methodNotAllowed(method);
	if (!isJson(body)) return errorResponse(400, 'JSON parse error.');
	const errors = errorsIn(body);
	if (Object.keys(errors).length > 0) return invalidFields(errors);
	const subscription = newSubscription(body);
	store.set(subscription.id, subscription);
	await onCreated(subscription);
	return { status: 201, body: subscription };
}

function list(store: Map<string, Subscription>, url: URL): ApiResponse {
	for (const filter of ['from_created_at', 'to_created_at']) {
		if (Number.isNaN(timeOr(url.searchParams.get(filter), 0)))
			return invalidFields({ [filter]: ['Enter a valid date/time.'] });
	}
	return paginate(url, (query) => select([...store.values()], query));
}

/** Times are compared as numbers, because a filter may have another UTC offset or precision than the record. */
const timeOr = (time: string | null, fallback: number) => (time === null ? fallback : Date.parse(time));

function select(all: Subscription[], query: URLSearchParams): Subscription[] {
	const from = timeOr(query.get('from_created_at'), -Infinity);
	const to = timeOr(query.get('to_created_at'), Infinity);
	const ordering = query.get('ordering') ?? 'created_at';
	const key = ordering.replace(/^-/, '') === 'id' ? 'id' : 'created_at';
	return all
		.filter(({ created_at }) => Date.parse(created_at) >= from && Date.parse(created_at) <= to)
		.sort((one, other) => one[key].localeCompare(other[key]) * (ordering.startsWith('-') ? -1 : 1));
}
