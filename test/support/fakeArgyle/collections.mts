import { isJson } from '../json.mts';
import type { Assumed } from './assumed.mts';
import { keptId } from './externalId.mts';
import { isListed, paginate } from './pagination.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, methodNotAllowed, recordOrNotFound } from './response.mts';
import type { ListOrder, StoredRecord } from './types.mts';

export interface Collection {
	filters: string[];
	/** The value that a filter is compared with. @default that of the field of its name */
	filteredBy?: (record: StoredRecord, filter: string) => unknown;
	/** By which it is sorted. @default 'created_at' */
	date?: string;
	/** The filters that test `date`. */
	range?: [from: string, to: string];
	/** @default the order in which the records were stored */
	listOrder?: ListOrder;
	/** Whether a list links to its next page. */
	isPaged: boolean;
	assumed: Assumed;
	isListOnly?: boolean;
	shown?: (record: StoredRecord) => object;
}

/**
 * A recorded reply to `from_start_date` has a paystub of three days before. Nothing says that other lists are stricter.
 */
const FUZZY_EDGE_MS = 3 * 24 * 3_600_000;

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

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

function isInRange(
	record: StoredRecord,
	{ date = 'created_at', range, assumed }: Collection,
	query: URLSearchParams,
): boolean {
	if (range === undefined) return true;
	const time = Date.parse(String(record[date]));
	const [from, to] = range.map((filter) => query.get(filter));
	const latest = timeOr(to ?? null, Infinity);
	return (
		time >= timeOr(from ?? null, -Infinity) - (assumed.earlyPaystubs === 'yes' ? FUZZY_EDGE_MS : 0) &&
		(assumed.lastPaystub === 'yes' ? time <= latest : time < latest)
	);
}

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
		assumed,
	} = collection;
	if (method !== 'GET') return methodNotAllowed(method);
	if (id !== undefined) {
		if (!isUuid(id) && !id.startsWith('item_') && assumed.malformedId === '400')
			return errorResponse(400, 'Invalid ID.');
		const record = collection.isListOnly && assumed.employmentById === 'no' ? undefined : store.get(id);
		return recordOrNotFound(record && shown(record));
	}
	const isWrong = (time: string | null) =>
		time !== null && (Number.isNaN(Date.parse(time)) || (assumed.plainDates === 'no' && !time.includes('T')));
	const wrong = range.find((filter) => isWrong(url.searchParams.get(filter)));
	if (wrong !== undefined) return invalidFields({ [wrong]: ['Enter a valid date/time.'] });
	const select = (query: URLSearchParams) => {
		const matching = [...store.values()].filter(
			(record) =>
				filters.every((filter) => !query.has(filter) || matches(filteredBy(record, filter), filter, query, assumed)) &&
				isInRange(record, collection, query) &&
				(!query.has('external_id') || isListed(record, assumed.userIsListed)),
		);
		return sorted(matching, collection.listOrder, collection.date);
	};
	if (collection.isPaged) return paginate(url, select, assumed, shown);
	// What has no link to a next page holds everything.
	return { status: 200, body: { results: select(url.searchParams).map(shown) } };
}

function matches(value: unknown, filter: string, query: URLSearchParams, assumed: Assumed): boolean {
	const asked = query.get(filter) ?? '';
	const wanted = filter === 'external_id' ? keptId(asked, assumed) : asked;
	const isExact = filter !== 'external_id' || assumed.externalIdFilter === 'those with exactly this ID';
	return isExact ? value === wanted : typeof value === 'string' && value.startsWith(String(wanted));
}

/** The value at a path of fields. */
export function valueAt(record: unknown, path: string[]): unknown {
	const [field, ...rest] = path;
	return field === undefined ? record : isJson(record) ? valueAt(record[field], rest) : undefined;
}
