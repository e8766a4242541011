import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { USER_FORMS } from '../../api/collections';
import { filtersField, returnAllFields } from '../../shared/fields';
import { readUuid } from '../../shared/parameters';
import { EXAMPLE_UUID } from '../../utils/uuid';
import type { Operation } from '../operation';
import { getMany } from '../readOperations';

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
	placeholder: `e.g. ${EXAMPLE_UUID}`,
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
	...getMany(USER_FORMS, toQuery),
};
