import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { type ArgyleClient, connect } from '../transport/client';
import { isJsonRecord, type JsonRecord, parseJson } from '../utils/json';
import { type ListRequest, PAGE_SIZE, fetchPage } from '../api/pagination';
import { toNodeError } from '../shared/nodeError';

/** What a picker shows of a list. */
export interface Picker {
	list: ListRequest;
	isEntry(record: JsonRecord): boolean;
	/** How a record is named to a person; its id is shown when this is ''. */
	label(record: JsonRecord): string;
	/** Asks for the records that a text names exactly, where the service can find them. */
	find?(client: ArgyleClient, text: string): Promise<JsonRecord[]>;
}

/** Pages that one search reads at the most, 2,000 records; n8n asks for more when a person scrolls on. */
const MOST_PAGES_AT_ONCE = 10;

const matches = (name: string, id: string, filter: string) => `${name} ${id}`.toLowerCase().includes(filter);

function firstQuery(token: string | undefined): IDataObject {
	const query = token === undefined ? undefined : parseJson(Buffer.from(token));
	return isJsonRecord(query) && typeof query.cursor === 'string' ? { cursor: query.cursor } : { limit: PAGE_SIZE };
}

/** Gives as choices what a picker has of some records. */
const choices = (picker: Picker, records: JsonRecord[]) =>
	records
		.filter(picker.isEntry)
		.map((record) => ({ name: picker.label(record) || String(record.id), value: String(record.id) }));

/**
 * Takes a picker, n8n's filter text and its token of the next page; gives one page of choices. With a filter it first asks for
 * what the text names exactly, and reads on until a page has a match, because Argyle can't search by text. Throws a node
 * error in words when the list can't be read.
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
		const results = isFirst ? choices(picker, (await picker.find?.(client, text)) ?? []) : [];
		const exact = new Set(results.map(({ value }) => value));
		let query: IDataObject | undefined = firstQuery(paginationToken);
		for (let pages = 0; query !== undefined && pages < MOST_PAGES_AT_ONCE; pages++) {
			const page = await fetchPage(client, picker.list, query);
			const found = choices(picker, page.records).filter(({ name, value }) => matches(name, value, wanted));
			results.push(...found.filter(({ value }) => !exact.has(value)));
			query = page.next;
			if (results.length > 0) break;
		}
		return { results, paginationToken: query === undefined ? undefined : JSON.stringify(query) };
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
