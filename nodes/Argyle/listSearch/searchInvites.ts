import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listOf } from '../api/records';
import { INVITES } from '../api/invites';
import { isId } from '../utils/ids';
import { creation, fullName, joined } from './label';
import { finderById, searchPage, seemsId } from './searchPage';

export async function searchInvites(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPage(
		this,
		{
			list: listOf(INVITES),
			label: (invite) =>
				joined([
					fullName(invite) || invite.full_name,
					invite.email,
					invite.phone_number,
					invite.status,
					creation(this, invite),
				]),
			find: finderById(INVITES, seemsId),
			isEntry: ({ id }) => isId(id),
			notAllSearched: 'Not all invites were searched. If yours is missing, choose By ID and enter its ID.',
		},
		filter,
		paginationToken,
	);
}
