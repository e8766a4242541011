import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ARGYLE_ORIGINS } from '../transport/environment';
import { ArgyleError } from '../transport/errors';
import { isJsonRecord, type JsonRecord } from '../utils/json';

/** The most records that a list gives in one page (Argyle's OpenAPI file). */
export const PAGE_SIZE = 200;

/** Two million records; what has more pages doesn't end. */
const MOST_PAGES = 10_000;

/** A list to be read. */
export interface ListRequest {
	/** From the host on, such as `/v2/webhooks`. */
	path: string;
	/** Filters of the first page; the service carries them along in `next`. */
	query?: IDataObject;
	/** What the records are, for messages. */
	subject: string;
}

/** One page: its records, and the query of the page after it, if there is one. */
export interface Page {
	records: JsonRecord[];
	next: IDataObject | undefined;
}

const refused = (why: string) =>
	new ArgyleError("Argyle sent a list that can't be read", `${why} If this goes on, ask Argyle's support.`);

/**
 * Takes the `next` of a page; gives the query of the next page, undefined at the end. The query alone is used, so
 * that the key goes to the credential's own host whatever the link says; a link to a foreign host is refused all the
 * same.
 */
function nextQuery(next: unknown, origin: string): IDataObject | undefined {
	if (next === null || next === undefined || next === '') return undefined;
	if (typeof next !== 'string' || !URL.canParse(next)) throw refused('The link to its next page is not an address.');
	const url = new URL(next);
	if (url.origin !== origin && !ARGYLE_ORIGINS.includes(url.origin)) {
		throw refused(`The link to its next page points to another host (${url.host}). Nothing was sent there.`);
	}
	return Object.fromEntries(url.searchParams);
}

/** Takes a list and the query of one of its pages; gives that page. Throws ArgyleError when the answer is no page. */
export async function fetchPage(client: ArgyleClient, list: ListRequest, query: IDataObject): Promise<Page> {
	const answer = await client.json({ method: 'GET', path: list.path, query, subject: list.subject });
	if (!isJsonRecord(answer) || !Array.isArray(answer.results)) throw refused('It has no "results".');
	return { records: answer.results.filter(isJsonRecord), next: nextQuery(answer.next, client.environment.origin) };
}

/**
 * Takes a list and how many records are wanted at most (Infinity for all); gives them in the service's order, read in
 * pages of up to 200. Throws ArgyleError when a page can't be read, points to another host or comes round again, or
 * when there is no end to them.
 */
export async function listRecords(client: ArgyleClient, list: ListRequest, limit: number): Promise<JsonRecord[]> {
	const records: JsonRecord[] = [];
	const seen = new Set<string>();
	let query: IDataObject | undefined = { ...list.query, limit: Math.min(limit, PAGE_SIZE) };
	while (query !== undefined && records.length < limit) {
		const page: Page = await fetchPage(client, list, query);
		for (const record of page.records) records.push(record);
		const key = JSON.stringify(page.next);
		if (page.next !== undefined && seen.has(key)) throw refused('Its pages go round in a circle.');
		if (seen.size >= MOST_PAGES) throw refused('It has no end.');
		seen.add(key);
		query = page.next;
	}
	return records.slice(0, limit);
}
