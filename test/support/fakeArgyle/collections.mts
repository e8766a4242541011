import { type Answer, detail } from './response.mts';
import { one, page } from './pagination.mts';
import type { StoredRecord } from './types.mts';

/** `user` is how the service finds a form by its user; the record itself doesn't show it. */
function shown({ user, ...record }: StoredRecord): unknown {
	return record;
}

/** The endpoints of a resource that is only read, over its store: one record, or pages of those that the filters named (exact match) leave. */
export function answerRecords(
	store: Map<string, StoredRecord>,
	method: string,
	url: URL,
	id: string | undefined,
	filters: string[],
): Answer {
	if (method !== 'GET') return detail(405, `Method "${method}" not allowed.`);
	if (id !== undefined) {
		const record = store.get(id);
		return one(record === undefined ? undefined : shown(record));
	}
	return page(url, (query) =>
		[...store.values()]
			.filter((record) => filters.every((filter) => !query.has(filter) || record[filter] === query.get(filter)))
			.map(shown),
	);
}
