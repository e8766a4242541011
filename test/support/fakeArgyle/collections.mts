import { isJson } from '../json.mts';
import { paginate } from './pagination.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, invalidFields, methodNotAllowed, recordOrNotFound } from './response.mts';
import type { ListOrder, ListShape, StoredRecord } from './types.mts';

interface Collection {
	/** The query parameters by which it can be filtered. */
	filters: string[];
	/** The value that a filter is compared with. @default that of the field of its name */
	filteredBy?: (record: StoredRecord, filter: string) => unknown;
	/** By which it is sorted. @default 'created_at' */
	date?: string;
	/** The filters that test `date`. */
	range?: [from: string, to: string];
	/** @default the order in which the records were stored */
	listOrder?: ListOrder;
	listShape: ListShape;
	isListOnly?: boolean;
	/** What Argyle returns of a record. */
	shown?: (record: StoredRecord) => object;
}

/**
 * A recorded reply to `from_start_date` has a paystub of three days before. Nothing says that other lists are stricter.
 */
const FUZZY_EDGE_MS = 3 * 24 * 3_600_000;

/** All times of a field are written alike, so that they can be compared as text. */
const byTime = (field: string) => (one: StoredRecord, other: StoredRecord) =>
	String(one[field]) < String(other[field]) ? -1 : 1;

/** Up to five minutes late, for each record another time. */
function blurredTime(record: StoredRecord, field: string): number {
	return Date.parse(String(record[field])) + (parseInt(record.id.slice(0, 4), 16) % 300) * 1_000;
}

function sorted(records: StoredRecord[], order: ListOrder | undefined, date = 'created_at'): StoredRecord[] {
	switch (order) {
		case 'newestFirst':
			return records.sort((one, other) => byTime(date)(other, one));
		case 'nearlyNewestFirst':
			return records.sort((one, other) => blurredTime(other, date) - blurredTime(one, date));
		case 'oldestFirst':
			return records.sort(byTime(date));
		case 'shuffled':
			return records.sort((one, other) => one.id.localeCompare(other.id));
		default:
			return records;
	}
}

const timeOr = (time: string | null, fallback: number) => (time === null ? fallback : Date.parse(time));

function isInRange(record: StoredRecord, { date = 'created_at', range }: Collection, query: URLSearchParams): boolean {
	if (range === undefined) return true;
	const time = Date.parse(String(record[date]));
	const [from, to] = range.map((filter) => query.get(filter));
	return time >= timeOr(from ?? null, -Infinity) - FUZZY_EDGE_MS && time <= timeOr(to ?? null, Infinity);
}

/** Serves a read-only collection such as `/v2/users`. */
export function handleCollection(
	store: Map<string, StoredRecord>,
	{ method, url }: ApiRequest,
	id: string | undefined,
	collection: Collection,
): ApiResponse {
	const {
		filters,
		filteredBy = (record, filter) => record[filter],
		range = [],
		shown = (record) => record,
	} = collection;
	if (method !== 'GET') return methodNotAllowed(method);
	if (id !== undefined) {
		const record = collection.isListOnly ? undefined : store.get(id);
		return recordOrNotFound(record && shown(record));
	}
	const wrong = range.find((filter) => Number.isNaN(timeOr(url.searchParams.get(filter), 0)));
	if (wrong !== undefined) return invalidFields({ [wrong]: ['Enter a valid date/time.'] });
	const select = (query: URLSearchParams) => {
		const matching = [...store.values()].filter(
			(record) =>
				filters.every((filter) => !query.has(filter) || filteredBy(record, filter) === query.get(filter)) &&
				isInRange(record, collection, query),
		);
		return sorted(matching, collection.listOrder, collection.date).map(shown);
	};
	return inShape(collection.listShape, url, select);
}

/** What has no link to a next page holds everything. */
function inShape(shape: ListShape, url: URL, select: (query: URLSearchParams) => object[]): ApiResponse {
	if (shape === 'page') return paginate(url, select);
	const results = select(url.searchParams);
	return { status: 200, body: shape === 'array' ? results : { results } };
}

/** The value at a path of fields. */
export function valueAt(record: unknown, path: string[]): unknown {
	const [field, ...rest] = path;
	return field === undefined ? record : isJson(record) ? valueAt(record[field], rest) : undefined;
}
