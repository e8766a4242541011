import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listOf, VERIFICATIONS } from '../api/records';
import { isDataObject } from '../utils/json';
import { isId } from '../utils/ids';
import { creation, joined } from './label';
import { finderById, searchPage, seemsId } from './searchPage';

const valueIn = (record: unknown, field: string) => (isDataObject(record) ? record[field] : undefined);

export async function searchVerifications(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPage(
		this,
		{
			list: listOf(VERIFICATIONS),
			label: (verification) =>
				joined([
					valueIn(verification.report, 'type'),
					valueIn(verification.status, 'state'),
					valueIn(verification.loan, 'number'),
					creation(this, verification),
				]),
			find: finderById(VERIFICATIONS, seemsId),
			isEntry: ({ id }) => isId(id),
			notAllSearched: 'Not all verifications were searched. If yours is missing, choose By ID and enter its ID.',
		},
		filter,
		paginationToken,
	);
}
