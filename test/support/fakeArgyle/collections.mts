import { paginate } from './pagination.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, methodNotAllowed, recordOrNotFound } from './response.mts';
import type { StoredRecord } from './types.mts';

/** Argyle filters user forms by `user`, but doesn't return it. */
function withoutUser({ user, ...record }: StoredRecord): unknown {
	return record;
}

/** Serves a read-only collection such as `/v2/users`. Each filter is compared exactly with the field of its name. */
export function handleCollection(
	store: Map<string, StoredRecord>,
	{ method, url }: ApiRequest,
	id: string | undefined,
	filters: string[],
): ApiResponse {
	if (method !== 'GET') return methodNotAllowed(method);
	if (id !== undefined) {
		const record = store.get(id);
		return recordOrNotFound(record && withoutUser(record));
	}
	return paginate(url, (query) =>
		[...store.values()]
			.filter((record) => filters.every((filter) => !query.has(filter) || record[filter] === query.get(filter)))
			.map(withoutUser),
	);
}
