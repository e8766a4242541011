import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { getRecord, listOf, USERS } from '../api/collections';
import { MAX_PAGE_SIZE, fetchPage } from '../api/pagination';
import type { ArgyleClient } from '../transport/client';
import { undefinedWhenNotFound } from '../transport/errors';
import { isUuid } from '../utils/uuid';
import { searchPage } from './searchPage';

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Never the personal numbers of a record (`ssn`, `birth_date`). */
function label(user: IDataObject): string {
	const name = `${text(user.first_name)} ${text(user.last_name)}`.trim();
	const employers = Array.isArray(user.employers_connected)
		? user.employers_connected.map(text).filter((part) => part !== '')
		: [];
	return [name, text(user.email), text(user.external_id), employers.join(', ')]
		.filter((part) => part !== '')
		.join(' · ');
}

/** Argyle can look up a user by id and by exact external id only. */
async function find(client: ArgyleClient, text: string): Promise<IDataObject[]> {
	if (isUuid(text)) {
		const user = await getRecord(client, USERS, text.toLowerCase()).catch(undefinedWhenNotFound);
		return user === undefined ? [] : [user];
	}
	return (await fetchPage(client, listOf(USERS), { external_id: text, limit: MAX_PAGE_SIZE })).records;
}

export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPage(
		this,
		{
			list: listOf(USERS),
			label,
			find,
			isEntry: ({ id }) => isUuid(id),
			notAllSearched: 'Not all users were searched. If yours is missing, search for its complete external ID or ID.',
		},
		filter,
		paginationToken,
	);
}
