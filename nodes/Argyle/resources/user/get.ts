import { USERS } from '../../api/collections';
import { userIdField } from '../../shared/fields';
import type { Operation } from '../operation';
import { gettingOne } from '../readOperations';
import { readUuid } from '../../shared/parameters';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a user',
	description: 'Get the record of a user',
	fields: [{ ...userIdField, description: 'The user to get' }],
	begin: gettingOne(USERS, (context, itemIndex) =>
		readUuid(context.getNodeParameter('userId', itemIndex, '', { extractValue: true }), 'User'),
	),
};
