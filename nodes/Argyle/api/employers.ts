import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { fetchPage, type ListRequest, MAX_PAGE_SIZE } from './pagination';
import { listOf } from './records';
import type { RecordType } from './recordTypes';

/** Employers and platforms. Events and invites name them by ID. */
export const ITEMS: RecordType = { one: 'Item', many: 'Items', path: '/v2/items', filters: [] };

/**
 * GET /v2/employer-search (Argyle's OpenAPI file 1.0.111): fuzzy, the best match first. Recorded replies have no links
 * to further pages. `filters` are in Argyle's spelling, with commas between several values of one filter.
 */
export const employersLike = (text: string, filters: IDataObject = {}): ListRequest => ({
	path: '/v2/employer-search',
	query: { q: text, ...filters },
	subject: 'list of employers',
});

/** A group only contains other Items, and can't be connected itself. */
export const isGroup = ({ is_grouping: isGrouping }: IDataObject): boolean => isGrouping === true;

/**
 * GET /v2/items. It takes the filters of the search. Its pages always link to the next one; pages of the search may
 * not.
 */
export const connectableItems = (filters: IDataObject): ListRequest => ({
	...listOf(ITEMS),
	query: filters,
	accepts: (item) => !isGroup(item),
});

/**
 * Leaves the groups out of a page of the search. Only the Item of an employer tells whether it is a group. GET
 * /v2/items could search by text itself, but Argyle says that it needs a full name, and people type only its beginning.
 * If the Items can't be read, nothing is left out.
 */
export async function withoutGroups(client: ArgyleClient, employers: IDataObject[]): Promise<IDataObject[]> {
	if (employers.length === 0) return employers;
	const query = { id: employers.map(({ id }) => String(id)).join(','), limit: MAX_PAGE_SIZE };
	const { records } = await fetchPage(client, listOf(ITEMS), query).catch(() => ({ records: [] }));
	const groups = new Set(records.filter(isGroup).map(({ id }) => id));
	return employers.filter(({ id }) => !groups.has(id));
}
