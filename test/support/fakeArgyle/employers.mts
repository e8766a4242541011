import { isJson } from '../json.mts';
import type { Assumed } from './assumed.mts';
import { paginate } from './pagination.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, invalidFields, methodNotAllowed, recordOrNotFound } from './response.mts';
import type { StoredRecord } from './types.mts';

/** Several values come with commas or repeated. */
const VALUES: Record<string, string[]> = {
	kind: ['employer', 'gig', 'platform', 'benefits'],
	mapping_status: ['verified', 'mapped', 'unmapped'],
	status: ['healthy', 'issues', 'unavailable'],
};

/** What is read of one Item only. */
const FEATURES = 'features';

/** Of an Item, all that the search for employers shows. */
const SHOWN = ['id', 'name', 'logo_url', 'kind', 'mapping_status', 'status'];

const valuesOf = (query: URLSearchParams, filter: string) => query.getAll(filter).flatMap((value) => value.split(','));

const words = (text: unknown) =>
	String(text)
		.toLowerCase()
		.split(/\W+/)
		.filter((word) => word !== '');

/** How many letters two words have in common at their beginning, of the longer one: enough for misspelled names. */
function likeness(one: string, other: string): number {
	let same = 0;
	while (same < one.length && one[same] === other[same]) same++;
	return same / Math.max(one.length, other.length);
}

/** The mean of how well each word that is searched for is found. */
function score(text: string, { name }: StoredRecord): number {
	const found = words(name);
	const best = words(text).map((word) => Math.max(0, ...found.map((other) => likeness(word, other))));
	return best.reduce((sum, each) => sum + each, 0) / Math.max(1, best.length);
}

const LEAST_SCORE = 0.6;

function select(items: StoredRecord[], query: URLSearchParams): StoredRecord[] {
	const text = query.get('q') ?? '';
	const ids = valuesOf(query, 'id');
	const wanted = ids.length === 0 ? items : items.filter(({ id }) => ids.includes(id));
	const filtered = wanted.filter((item) =>
		Object.keys(VALUES).every((filter) => {
			const values = valuesOf(query, filter);
			return values.length === 0 || values.includes(String(item[filter]));
		}),
	);
	if (text === '') return filtered;
	return filtered
		.map((item) => ({ item, score: score(text, item) }))
		.filter((each) => each.score >= LEAST_SCORE)
		.sort((one, other) => other.score - one.score)
		.map(({ item }) => item);
}

function errorsIn(query: URLSearchParams): Record<string, string[]> {
	const wrong = Object.entries(VALUES).filter(([filter, known]) =>
		valuesOf(query, filter).some((value) => !known.includes(value)),
	);
	return Object.fromEntries(wrong.map(([filter]) => [filter, ['Select a valid choice.']]));
}

function list(
	items: Map<string, StoredRecord>,
	{ method, url }: ApiRequest,
	shown: (item: StoredRecord, query: URLSearchParams) => object,
): ApiResponse {
	if (method !== 'GET') return methodNotAllowed(method);
	const errors = errorsIn(url.searchParams);
	if (Object.keys(errors).length > 0) return invalidFields(errors);
	return paginate(url, (query) => select([...items.values()], query).map((item) => shown(item, query)));
}

/** As lists show it: without what is read of one alone, and with its score where a text is searched for. */
function listedItem({ [FEATURES]: _, ...item }: StoredRecord, query: URLSearchParams): object {
	const text = query.get('q');
	return text === null ? item : { ...item, matching_score: score(text, item).toFixed(2) };
}

export function handleItems(
	items: Map<string, StoredRecord>,
	request: ApiRequest,
	id: string | undefined,
	{ itemsByIds }: Pick<Assumed, 'itemsByIds'>,
): ApiResponse {
	if (id !== undefined && request.method === 'GET') return recordOrNotFound(items.get(id));
	if (itemsByIds === 'no' && valuesOf(request.url.searchParams, 'id').length > 1)
		return invalidFields({ id: ['Enter one ID.'] });
	return list(items, request, listedItem);
}

/** Serves `/v2/employer-search`: the same records, with fewer fields. Recorded replies have no links to other pages. */
export function handleEmployerSearch(
	items: Map<string, StoredRecord>,
	request: ApiRequest,
	hasPages: boolean,
): ApiResponse {
	const response = list(items, request, (item) => Object.fromEntries(SHOWN.map((field) => [field, item[field]])));
	const { body } = response;
	return hasPages || !isJson(body) || response.status !== 200
		? response
		: { ...response, body: { results: body.results } };
}
