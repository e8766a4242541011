import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import { type Answer, detail } from './response.mts';
import { EVENT_NAMES } from './eventNames.mts';
import { one, page } from './pagination.mts';
import type { Subscription } from './types.mts';

function mistakesOf({ events, name, url, secret, config }: Record<string, unknown>): Record<string, string[]> {
	const mistakes: Record<string, string[]> = {};
	if (typeof name !== 'string' || name === '') mistakes.name = ['This field is required.'];
	if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) mistakes.url = ['Enter a valid URL.'];
	if (secret !== undefined && secret !== null && typeof secret !== 'string') mistakes.secret = ['Not a valid string.'];
	if (events === undefined) mistakes.events = ['This field is required.'];
	else if (!Array.isArray(events) || events.length === 0) mistakes.events = ['Expected a list of events.'];
	else if (events.includes('*') ? events.length > 1 : !events.every((event) => EVENT_NAMES.has(event)))
		mistakes.events = ['Unknown event.'];
	else if (events.some((event) => String(event).startsWith('items.')) && !hasItems(config))
		mistakes.config = ['"items" must name 1 to 30 Items.'];
	return mistakes;
}

function hasItems(config: unknown): boolean {
	return isJson(config) && Array.isArray(config.items) && config.items.length > 0 && config.items.length <= 30;
}

/** Makes a subscription out of a checked request. */
export function newSubscription(request: Record<string, unknown>): Subscription {
	const now = new Date().toISOString();
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

/** The `/v2/webhooks` endpoints over a store of subscriptions. */
export function answerWebhooks(
	store: Map<string, Subscription>,
	method: string,
	url: URL,
	id: string | undefined,
	body: unknown,
): Answer {
	if (id === undefined) {
		if (method === 'GET') return list(store, url);
		if (method !== 'POST') return detail(405, `Method "${method}" not allowed.`);
		if (!isJson(body)) return detail(400, 'JSON parse error.');
		const mistakes = mistakesOf(body);
		if (Object.keys(mistakes).length > 0) return { status: 400, body: mistakes };
		const made = newSubscription(body);
		store.set(made.id, made);
		return { status: 201, body: made };
	}
	if (method === 'GET') return one(store.get(id));
	if (method !== 'DELETE') return detail(405, `Method "${method}" not allowed.`);
	return store.delete(id) ? { status: 204 } : detail(404, 'Not found.');
}

function list(store: Map<string, Subscription>, url: URL): Answer {
	for (const filter of ['from_created_at', 'to_created_at']) {
		if (Number.isNaN(instant(url.searchParams.get(filter), 0)))
			return { status: 400, body: { [filter]: ['Enter a valid date/time.'] } };
	}
	return page(url, (query) => select([...store.values()], query));
}

/** Times are compared as instants: a filter may come with another offset or other digits than the record. */
const instant = (time: string | null, otherwise: number) => (time === null ? otherwise : Date.parse(time));

function select(all: Subscription[], query: URLSearchParams): Subscription[] {
	const from = instant(query.get('from_created_at'), -Infinity);
	const to = instant(query.get('to_created_at'), Infinity);
	const ordering = query.get('ordering') ?? 'created_at';
	const key = ordering.replace(/^-/, '') === 'id' ? 'id' : 'created_at';
	return all
		.filter(({ created_at }) => Date.parse(created_at) >= from && Date.parse(created_at) <= to)
		.sort((one, other) => one[key].localeCompare(other[key]) * (ordering.startsWith('-') ? -1 : 1));
}
