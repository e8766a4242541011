import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { fetchPage, type ListRequest, MAX_PAGE_SIZE, type PageQuery } from '../api/pagination';
import { toNodeError } from '../shared/nodeError';
import { type ArgyleClient, connect } from '../transport/client';
import { ArgyleError, asArgyleError } from '../transport/errors';
import { isUuid } from '../utils/uuid';

interface Picker {
	list: ListRequest;
	isEntry(record: IDataObject): boolean;
	/** What people read; the id is shown in place of ''. */
	label(record: IDataObject): string;
	/** The records that a text names exactly, where the service can look them up. */
	find?(client: ArgyleClient, text: string): Promise<IDataObject[]>;
	/** The last entry of a list in which not everything was searched. */
	notAllSearched: string;
}

/** They overflow n8n's list, which asks for more matches only when it is scrolled. */
const ENOUGH_MATCHES = 50;

/** A person is looking. */
const SEARCH_TIME_MS = 8_000;
const SEARCH_TIMING = { timeoutMs: 10_000, maxElapsedMs: 15_000, minTimeoutMs: 1_000, isWatched: true };

/** n8n can show nothing but entries. Whoever chooses this one is told that an entry has to be chosen. */
const NO_CHOICE = ' ';

/** Where n8n 2.41 shows an error, a hyphen becomes a gap; this one breaks no line and stays. */
const OTHER_HYPHEN = '\u2011';

/** n8n's list shows nothing of an error but its message. */
function shownInList(error: unknown): ArgyleError {
	const { wholeStory, description, details } = asArgyleError(error);
	return new ArgyleError(wholeStory.replaceAll('-', OTHER_HYPHEN), description, details);
}

const matches = (name: string, id: string, filter: string) => `${name} ${id}`.toLowerCase().includes(filter);

const firstQuery = (token = ''): PageQuery => (token.startsWith('?') ? token : { limit: MAX_PAGE_SIZE });

const toChoices = (picker: Picker, records: IDataObject[]) =>
	records
		.filter(picker.isEntry)
		.map((record) => ({ name: picker.label(record) || String(record.id), value: String(record.id) }));

/**
 * One page of choices. A filter is first looked up exactly, then matched page by page, because Argyle can't search by
 * text; when that ends before the list does, the last entry says so.
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
		const deadline = Date.now() + SEARCH_TIME_MS;
		const client = await connect(context, SEARCH_TIMING);
		const isFirst = text !== '' && paginationToken === undefined;
		const results = isFirst ? toChoices(picker, (await picker.find?.(client, text)) ?? []) : [];
		const exact = new Set(results.map(({ value }) => value));
		if (exact.size > 0 && isUuid(text)) return { results };
		const enough = text === '' ? 1 : ENOUGH_MATCHES;
		let query: PageQuery | undefined = firstQuery(paginationToken);
		for (;;) {
			const page = await fetchPage(client, picker.list, query);
			const found = toChoices(picker, page.records).filter(({ name, value }) => matches(name, value, wanted));
			results.push(...found.filter(({ value }) => !exact.has(value)));
			if (page.next === undefined || results.length >= enough) return { results, paginationToken: page.next };
			if (exact.size > 0 || Date.now() >= deadline) break;
			query = page.next;
		}
		return { results: [...results, { name: picker.notAllSearched, value: NO_CHOICE }] };
	} catch (error) {
		throw toNodeError(context.getNode(), shownInList(error));
	}
}
