import type { IDataObject } from 'n8n-workflow';

import { listOf, USERS } from '../api/records';
import { MAX_PAGE_SIZE, fetchPage } from '../api/pagination';
import type { ArgyleClient } from '../transport/client';
import { isUuid } from '../utils/ids';
import { fullName, joined, listed } from './label';
import { finderById, listSearch } from './listSearch';

const findUser = finderById(USERS);

/** Argyle can look up a user by id and by exact external id only. */
async function find(client: ArgyleClient, text: string): Promise<IDataObject[]> {
	if (isUuid(text)) return await findUser(client, text);
	return (await fetchPage(client, listOf(USERS), { external_id: text, limit: MAX_PAGE_SIZE })).records;
}

export const searchUsers = listSearch(() => ({
	list: listOf(USERS),
	// Without the personal numbers of the record (`ssn`, `birth_date`).
	label: (user) => joined([fullName(user), user.email, user.external_id, listed(user.employers_connected)]),
	find,
	notAllSearched: 'Not all users were searched. If yours is missing, search for its complete external ID or ID.',
}));
