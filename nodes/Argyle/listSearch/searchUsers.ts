import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { undefinedWhenNotFound } from '../transport/errors';
import { isUuid, type JsonRecord } from '../utils/json';
import { PAGE_SIZE, fetchPage } from '../api/pagination';
import { getRecord, listOf, USERS } from '../api/collections';
import { searchPage } from './searchPage';

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** The most readable of what a user record holds; never a personal number (`ssn`, `birth_date`). */
function label(user: JsonRecord): string {
	const name = `${text(user.first_name)} ${text(user.last_name)}`.trim();
	const employers = Array.isArray(user.employers_connected)
		? user.employers_connected.map(text).filter((part) => part !== '')
		: [];
	return [name, text(user.email), text(user.external_id), employers.join(', ')]
		.filter((part) => part !== '')
		.join(' · ');
}

/** By the id, or by exactly the external id: more the service can't find. */
async function find(client: ArgyleClient, text: string): Promise<JsonRecord[]> {
	if (isUuid(text)) {
		const user = await getRecord(client, USERS, text.toLowerCase()).catch(undefinedWhenNotFound);
		return user === undefined ? [] : [user];
	}
	return (await fetchPage(client, listOf(USERS), { external_id: text, limit: PAGE_SIZE })).records;
}

/**
 * The picker of users: each by name, e-mail, external id and employers, as far as known; the filter looks into these
 * and the id.
 */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPage(
		this,
		{ list: listOf(USERS), label, find, isEntry: ({ id }) => isUuid(id) },
		filter,
		paginationToken,
	);
}
