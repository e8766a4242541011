import { paginate } from './pagination.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, methodNotAllowed, recordOrNotFound } from './response.mts';
import type { ListOrder, StoredRecord } from './types.mts';

interface CollectionOptions {
	/** @default the order in which the records were stored */
	listOrder?: ListOrder;
	/** A field by which Argyle filters, but which it doesn't return. */
	hidden?: string;
}

/** All times are written alike, so that they can be compared as text. */
const byTime = (one: StoredRecord, other: StoredRecord) => (String(one.created_at) < String(other.created_at) ? -1 : 1);

function sorted(records: StoredRecord[], order: ListOrder | undefined): StoredRecord[] {
	switch (order) {
		case 'newestFirst':
			return records.sort((one, other) => byTime(other, one));
		case 'oldestFirst':
			return records.sort(byTime);
		case 'shuffled':
			return records.sort((one, other) => one.id.localeCompare(other.id));
		default:
			return records;
	}
}

/** Serves a read-only collection such as `/v2/users`. Each filter is compared exactly with the field of its name. */
export function handleCollection(
	store: Map<string, StoredRecord>,
	{ method, url }: ApiRequest,
	id: string | undefined,
	filters: string[],
	{ listOrder, hidden }: CollectionOptions = {},
): ApiResponse {
	if (method !== 'GET') return methodNotAllowed(method);
	const shown = (record: StoredRecord) =>
		Object.fromEntries(Object.entries(record).filter(([field]) => field !== hidden));
	if (id !== undefined) {
		const record = store.get(id);
		return recordOrNotFound(record && shown(record));
	}
	return paginate(url, (query) => {
		const matching = [...store.values()].filter((record) =>
			filters.every((filter) => !query.has(filter) || record[filter] === query.get(filter)),
		);
		return sorted(matching, listOrder).map(shown);
	});
}
