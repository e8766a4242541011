import type { IDataObject } from 'n8n-workflow';

import { ACCOUNTS, getRecord } from '../api/collections';
import type { ArgyleClient } from '../transport/client';
import { undefinedWhenNotFound } from '../transport/errors';
import type { ListedForm } from './forms/formList';
import { FORM_SUBMITTED } from './submittedForm';

/** The item of a form that was read from the list, as its delivery would have made it. Throws ArgyleError. */
export async function formEvent(
	client: ArgyleClient,
	{ id, account, record }: Pick<ListedForm, 'id' | 'account' | 'record'>,
	name: string,
	includeUserForm: boolean,
): Promise<IDataObject> {
	const accountRecord = await getRecord(client, ACCOUNTS, account).catch(undefinedWhenNotFound);
	return {
		event: FORM_SUBMITTED,
		name,
		data: { account, user: accountRecord?.user ?? null, user_form: id },
		...(includeUserForm ? { userForm: record } : {}),
	};
}
