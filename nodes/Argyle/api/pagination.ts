import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ARGYLE_ORIGINS } from '../transport/environment';
import { ArgyleError } from '../transport/errors';
import { isDataObject } from '../utils/json';

/** The most records in one page (Argyle's OpenAPI file). */
export const MAX_PAGE_SIZE = 200;

/** Two million records. A list with more pages is taken for endless. */
const MAX_PAGES = 10_000;

export interface ListRequest {
	/** From the host on, such as `/v2/webhooks`. */
	path: string;
	/** Filters of the first page; Argyle repeats them in `next`. */
	query?: IDataObject;
	/** Leaves out records that Argyle's filters let through. */
	accepts?: (record: IDataObject) => boolean;
	/** Called with the records of each page. Returns whether all that is wanted has come. */
	endsWith?: (records: IDataObject[]) => boolean;
	/** What the list is, for messages. */
	subject: string;
}

/** Filters of a first page, or the query string of a later one, letter by letter as Argyle's link has it. */
export type PageQuery = IDataObject | string;

interface Page {
	records: IDataObject[];
	/** The query string of the next page, undefined at the end. */
	next: string | undefined;
}

const unreadable = (why: string) =>
	new ArgyleError("Argyle sent a list that can't be read", `${why} If this goes on, ask Argyle's support.`);

/**
 * Returns the query of the next page. Only the query of the link is used, so the key goes to the credential's own host
 * whatever the link says. A link to a foreign host is refused all the same, because something is wrong then. The query
 * is not decoded, because a cursor can contain a plus sign, which decoding turns into a blank.
 */
function nextQuery(next: unknown, origin: string): string | undefined {
	if (next === null || next === undefined || next === '') return undefined;
	if (typeof next !== 'string' || !URL.canParse(next)) throw unreadable('The link to its next page is not an address.');
	const url = new URL(next);
	if (url.origin !== origin && !ARGYLE_ORIGINS.includes(url.origin)) {
		throw unreadable(`The link to its next page points to another host (${url.host}). Nothing was sent there.`);
	}
	return url.search;
}

/**
 * What an answer lists, undefined when it is no list. Some lists are a bare array, which has no further pages (Argyle's
 * documentation of 2023).
 */
export function listIn(answer: unknown): unknown[] | undefined {
	const list = isDataObject(answer) ? answer.results : answer;
	return Array.isArray(list) ? list : undefined;
}

/** Some lists have no `next` (recorded replies). Throws ArgyleError when the response is no page. */
export async function fetchPage(client: ArgyleClient, list: ListRequest, query: PageQuery): Promise<Page> {
	const { path, subject, accepts = () => true, endsWith = () => false } = list;
	const target = typeof query === 'string' ? { path: `${path}${query}` } : { path, query };
	const body = await client.json({ method: 'GET', ...target, subject });
	const listed = listIn(body);
	if (listed === undefined) throw unreadable('It has no "results".');
	const records = listed.filter(isDataObject);
	const link = isDataObject(body) ? body.next : undefined;
	const next = endsWith(records) ? undefined : nextQuery(link, client.environment.origin);
	return { records: records.filter(accepts), next };
}

/**
 * The pages of a list, in Argyle's order, each requested when it is asked for. If a record is added meanwhile, the last
 * one of a page comes again on the next page, and is left out there. Throws ArgyleError when a page can't be read,
 * links to another host, or comes again.
 */
export async function* pagesOf(
	client: ArgyleClient,
	list: ListRequest,
	pageSize = MAX_PAGE_SIZE,
): AsyncGenerator<IDataObject[], void> {
	const seen = new Set<string>();
	const seenIds = new Set<string>();
	const isNew = ({ id }: IDataObject) => typeof id !== 'string' || id === '' || (!seenIds.has(id) && seenIds.add(id));
	let query: PageQuery | undefined = { ...list.query, limit: pageSize };
	while (query !== undefined) {
		const page: Page = await fetchPage(client, list, query);
		query = page.next;
		if (query !== undefined && seen.has(query)) throw unreadable('Its pages go round in a circle.');
		if (seen.size >= MAX_PAGES) throw unreadable('It has no end.');
		if (query !== undefined) seen.add(query);
		yield page.records.filter(isNew);
	}
}

/** Reads at most `limit` records (Infinity for all). Fails as `pagesOf` does. */
export async function listRecords(client: ArgyleClient, list: ListRequest, limit: number): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	// If records are left out, small pages would need many requests.
	const pageSize = list.accepts === undefined ? Math.min(limit, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
	for await (const page of pagesOf(client, list, pageSize)) {
		for (const record of page) records.push(record);
		if (records.length >= limit) break;
	}
	return records.slice(0, limit);
}
