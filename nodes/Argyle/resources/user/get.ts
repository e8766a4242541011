import { USERS } from '../../api/collections';
import { userIdField } from '../../shared/fields';
import { readUuid } from '../../shared/parameters';
import type { Operation } from '../operation';
import { getOne } from '../readOperations';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a user',
	description: 'Get the record of a user',
	fields: [{ ...userIdField, description: 'The user to get' }],
	...getOne(USERS, (context, itemIndex) =>
		readUuid(context.getNodeParameter('userId', itemIndex, '', { extractValue: true }), 'User'),
	),
};
