import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { getRecord } from '../api/records';
import type { RecordType } from '../api/recordTypes';
import { fetchPage, type ListRequest, MAX_PAGE_SIZE, type PageQuery } from '../api/pagination';
import { NO_CHOICE } from '../shared/idToFind';
import { toNodeError } from '../shared/nodeError';
import { type ArgyleClient, connect } from '../transport/client';
import { ArgyleError, asArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { isId as isAnyId, isUuid } from '../utils/ids';

export interface Picker {
	list: ListRequest;
	/** Whether a text is the ID of a record. @default whether it is a UUID */
	isId?(text: string): boolean;
	/** Whether a record can be an entry of the list. @default whether its ID is a UUID */
	isEntry?(record: IDataObject): boolean;
	/** What people read for a record. If it is '', they read the record's ID. */
	label(record: IDataObject): string;
	/**
	 * The list for which the service itself searches by a text. Without it, this package searches `list`, page by page.
	 */
	matching?(text: string): ListRequest;
	/** Leaves out those records of a page of `matching` that nobody can choose. */
	filterMatches?(client: ArgyleClient, records: IDataObject[]): Promise<IDataObject[]>;
	/** Looks up the records that a text names exactly, if the service can do that. */
	find?(client: ArgyleClient, text: string): Promise<IDataObject[]>;
	/**
	 * Reads what `label` needs beside the record. After `deadline`, it reads no more than the first page of each list.
	 * Resolves with whether everything was read.
	 */
	prepare?(client: ArgyleClient, deadline: number): Promise<boolean>;
	/** The last entry of a list in which not everything was searched. */
	notAllSearched: string;
}

/**
 * A search ends with this many matches. They are more than n8n's list shows at a time. When somebody scrolls, n8n asks
 * for the next ones.
 */
const ENOUGH_MATCHES = 50;

/** After this time, a list shows what has been found so far, because a person waits for it. */
const SEARCH_TIME_MS = 8_000;

/** The limits of each request for a list. */
const SEARCH_TIMING = { timeoutMs: 7_000, maxElapsedMs: 15_000, isInteractive: true };

/** How much of the search time `prepare` may take. The rest is for the list itself. */
const PREPARATION_TIME_MS = 4_000;

/** n8n 2.41 shows each ordinary hyphen of an error as a gap. This non-breaking hyphen is shown as a hyphen. */
const OTHER_HYPHEN = '\u2011';

/** Of an error, n8n's list shows only the message, so the message gets the advice too. */
function shownInList(error: unknown): ArgyleError {
	const { fullMessage, description, details } = asArgyleError(error);
	return new ArgyleError(fullMessage.replaceAll('-', OTHER_HYPHEN), description, details);
}

const matches = (name: string, id: string, filter: string) => `${name} ${id}`.toLowerCase().includes(filter);

const firstQuery = ({ query }: ListRequest, token = ''): PageQuery =>
	token.startsWith('?') ? token : { ...query, limit: MAX_PAGE_SIZE };

/** Makes a `Picker.find` that looks up a text as the record's ID. */
export function finderById(
	recordType: RecordType,
	isIdOf: (text: string) => boolean = isUuid,
): NonNullable<Picker['find']> {
	return async (client, text) => {
		if (!isIdOf(text)) return [];
		const record = await getRecord(client, recordType, text.toLowerCase()).catch(undefinedWhenNotFound);
		return record === undefined ? [] : [record];
	};
}

/**
 * Whether a text is likely to be an ID, for records whose IDs are not always UUIDs. A name or an address rarely has two
 * hyphens.
 */
export const seemsId = (text: string): boolean => /-.*-/.test(text) && isAnyId(text);

const toChoices = ({ isEntry = ({ id }) => isUuid(id), label }: Picker, records: IDataObject[]) =>
	records.filter(isEntry).map((record) => ({ name: label(record) || String(record.id), value: String(record.id) }));

/**
 * Returns one page of choices. First, it looks for a record that the filter names exactly. Then it searches the pages
 * of the list for the filter, because Argyle can't search most of its lists by text. If there was no time to search all
 * of the list, the last entry says so.
 */
async function searchPage(
	context: ILoadOptionsFunctions,
	picker: Picker,
	filter: string | undefined,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const text = (filter ?? '').trim();
	const { isId = isUuid } = picker;
	const isTextSearch = text !== '' && !isId(text);
	const served = isTextSearch ? picker.matching?.(text) : undefined;
	const list = served ?? picker.list;
	const wanted = served === undefined ? text.toLowerCase() : '';
	try {
		const deadline = Date.now() + SEARCH_TIME_MS;
		const client = await connect(context, SEARCH_TIMING);
		const isPrepared = (await picker.prepare?.(client, isTextSearch ? Date.now() + PREPARATION_TIME_MS : 0)) ?? true;
		const isFirst = text !== '' && paginationToken === undefined;
		const results = isFirst ? toChoices(picker, (await picker.find?.(client, text)) ?? []) : [];
		const exact = new Set(results.map(({ value }) => value));
		if (exact.size > 0 && isId(text)) return { results };
		const enough = wanted === '' ? 1 : ENOUGH_MATCHES;
		let query: PageQuery | undefined = firstQuery(list, paginationToken);
		for (;;) {
			const page = await fetchPage(client, list, query);
			const matching = served && (await picker.filterMatches?.(client, page.records));
			const found = toChoices(picker, matching ?? page.records).filter(({ name, value }) =>
				matches(name, value, wanted),
			);
			results.push(...found.filter(({ value }) => !exact.has(value)));
			query = page.next;
			const isDone = query === undefined ? isPrepared || !isTextSearch : results.length >= enough;
			if (isDone) return { results, paginationToken: query };
			if (query === undefined || exact.size > 0 || Date.now() >= deadline) break;
		}
		return { results: [...results, { name: picker.notAllSearched, value: NO_CHOICE }] };
	} catch (error) {
		throw toNodeError(context.getNode(), shownInList(error));
	}
}

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Makes the method that n8n calls to fill the list of a resource locator. */
export function listSearch(pickerFor: (context: ILoadOptionsFunctions) => Picker): ListSearch {
	return async function (filter, paginationToken) {
		return await searchPage(this, pickerFor(this), filter, paginationToken);
	};
}
