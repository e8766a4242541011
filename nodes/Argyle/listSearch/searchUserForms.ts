import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listOf, USER_FORMS } from '../api/records';
import { isDataObject } from '../utils/json';
import { isUuid } from '../utils/ids';
import { creation, joined } from './label';
import { finderById, searchPage } from './searchPage';

/** What the person wrote: who that is, a form's record doesn't say. */
function answers({ data }: IDataObject): unknown[] {
	return isDataObject(data) ? [data.income_source, data.payroll_provider] : [];
}

export async function searchUserForms(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPage(
		this,
		{
			list: listOf(USER_FORMS),
			label: (form) => joined([...answers(form), creation(this, form)]),
			find: finderById(USER_FORMS),
			isEntry: ({ id }) => isUuid(id),
			notAllSearched: 'Not all user forms were searched. If yours is missing, choose By ID and enter its ID.',
		},
		filter,
		paginationToken,
	);
}
