import type { IDataObject } from 'n8n-workflow';

import { listOf, USER_FORMS } from '../api/records';
import { isDataObject } from '../utils/json';
import { creation, joined } from './label';
import { finderById, listSearch } from './listSearch';

/** Shows what the person wrote, because a form's record doesn't say who the person is. */
function answers({ data }: IDataObject): unknown[] {
	return isDataObject(data) ? [data.income_source, data.payroll_provider] : [];
}

export const searchUserForms = listSearch((context) => ({
	list: listOf(USER_FORMS),
	label: (form) => joined([...answers(form), creation(context, form)]),
	find: finderById(USER_FORMS),
	notAllSearched: 'Not all user forms were searched. If yours is missing, choose By ID and enter its ID.',
}));
