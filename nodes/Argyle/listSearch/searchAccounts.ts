import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { ACCOUNTS, listOf, USERS } from '../api/records';
import { pagesOf } from '../api/pagination';
import type { ArgyleClient } from '../transport/client';
import { creation, fullName, joined, listed } from './label';
import { finderById, type Picker, listSearch } from './listSearch';

/** An account's record names its user by ID only, so the names come from the list of users. */
function accountPicker(context: ILoadOptionsFunctions): Picker {
	const names = new Map<unknown, string>();
	async function readNames(client: ArgyleClient, deadline: number): Promise<boolean> {
		for await (const users of pagesOf(client, listOf(USERS))) {
			for (const user of users)
				names.set(user.id, fullName(user) || joined([user.email]) || joined([user.external_id]));
			if (Date.now() >= deadline) return false;
		}
		return true;
	}
	return {
		list: listOf(ACCOUNTS),
		prepare: readNames,
		label: (account) =>
			joined([names.get(account.user), listed(account.employers), account.source, creation(context, account)]),
		find: finderById(ACCOUNTS),
		notAllSearched: 'Not all accounts were searched. If yours is missing, choose By ID and enter its ID.',
	};
}

export const searchAccounts = listSearch(accountPicker);
