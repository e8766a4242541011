import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { USER_FORMS } from '../../api/collections';
import { filtersField, returnAllFields } from '../../shared/fields';
import type { Operation } from '../operation';
import { gettingMany } from '../readOperations';
import { readUuid } from '../../shared/parameters';

function toQuery({ account, user }: IDataObject): IDataObject {
	const query: IDataObject = {};
	if (account) query.account = readUuid(account, 'Account ID');
	if (user) query.user = readUuid(user, 'User ID');
	return query;
}

const idFilter = (displayName: string, name: string, of: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: 'e.g. 0187c66e-e7e5-811c-b006-2232f00f426a',
	description: `Only the forms of this ${of}`,
});

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many user forms',
	description: 'Get the forms that people submitted, of all users or of one',
	fields: [
		...returnAllFields,
		filtersField([idFilter('Account ID', 'account', 'account'), idFilter('User ID', 'user', 'user')]),
	],
	begin: gettingMany(USER_FORMS, toQuery),
};
