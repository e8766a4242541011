import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { type ListRequest, MAX_PAGE_SIZE, fetchPage } from '../api/pagination';
import { toNodeError } from '../shared/nodeError';
import { type ArgyleClient, connect } from '../transport/client';
import { isDataObject, parseJson } from '../utils/json';

interface Picker {
	list: ListRequest;
	isEntry(record: IDataObject): boolean;
	/** What people read; the id is shown in place of ''. */
	label(record: IDataObject): string;
	/** The records that a text names exactly, where the service can look them up. */
	find?(client: ArgyleClient, text: string): Promise<IDataObject[]>;
}

/** For one search, 2,000 records; n8n asks for more when a person scrolls on. */
const MAX_PAGES_PER_SEARCH = 10;

const matches = (name: string, id: string, filter: string) => `${name} ${id}`.toLowerCase().includes(filter);

function firstQuery(token: string | undefined): IDataObject {
	const query = token === undefined ? undefined : parseJson(Buffer.from(token));
	return isDataObject(query) && typeof query.cursor === 'string' ? { cursor: query.cursor } : { limit: MAX_PAGE_SIZE };
}

const toChoices = (picker: Picker, records: IDataObject[]) =>
	records
		.filter(picker.isEntry)
		.map((record) => ({ name: picker.label(record) || String(record.id), value: String(record.id) }));

/**
 * One page of choices. A filter is first looked up exactly, then matched page by page until one has a match, because
 * Argyle can't search by text.
 */
export async function searchPage(
	context: ILoadOptionsFunctions,
	picker: Picker,
	filter: string | undefined,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const text = (filter ?? '').trim();
	const wanted = text.toLowerCase();
	try {
		const client = await connect(context);
		const isFirst = text !== '' && paginationToken === undefined;
		const results = isFirst ? toChoices(picker, (await picker.find?.(client, text)) ?? []) : [];
		const exact = new Set(results.map(({ value }) => value));
		let query: IDataObject | undefined = firstQuery(paginationToken);
		for (let pages = 0; query !== undefined && pages < MAX_PAGES_PER_SEARCH; pages++) {
			const page = await fetchPage(client, picker.list, query);
			const found = toChoices(picker, page.records).filter(({ name, value }) => matches(name, value, wanted));
			results.push(...found.filter(({ value }) => !exact.has(value)));
			query = page.next;
			if (results.length > 0) break;
		}
		return { results, paginationToken: query === undefined ? undefined : JSON.stringify(query) };
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
