import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { connect } from '../api/client';
import { isJsonRecord, type JsonRecord, parseJson } from '../api/guards';
import { type ListRequest, PAGE_SIZE, readPage } from '../api/pages';
import { toNodeError } from '../nodeError';

/** What a picker shows of a list. */
export interface Picker {
	list: ListRequest;
	isEntry(record: JsonRecord): boolean;
	/** How a record is named to a person; its id is shown when this is ''. */
	label(record: JsonRecord): string;
}

const matches = (name: string, id: string, filter: string) => `${name} ${id}`.toLowerCase().includes(filter);

function firstQuery(token: string | undefined): IDataObject {
	const query = token === undefined ? undefined : parseJson(Buffer.from(token));
	return isJsonRecord(query) && typeof query.cursor === 'string' ? { cursor: query.cursor } : { limit: PAGE_SIZE };
}

/**
 * Takes a picker, n8n's filter text and its token of the next page; gives one page of choices. With a filter it reads
 * on until a page has a match, because Argyle can't search by text. Throws a node error in words when the list can't
 * be read.
 */
export async function searchPage(
	context: ILoadOptionsFunctions,
	picker: Picker,
	filter: string | undefined,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const wanted = (filter ?? '').trim().toLowerCase();
	try {
		const client = await connect(context);
		let query: IDataObject | undefined = firstQuery(paginationToken);
		let results: INodeListSearchResult['results'] = [];
		while (query !== undefined && results.length === 0) {
			const page = await readPage(client, picker.list, query);
			results = page.records
				.filter(picker.isEntry)
				.map((record) => ({ name: picker.label(record) || String(record.id), value: String(record.id) }))
				.filter(({ name, value }) => matches(name, value, wanted));
			query = page.next;
		}
		return { results, paginationToken: query === undefined ? undefined : JSON.stringify(query) };
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
