import { USERS } from '../../api/collections';
import { userIdField } from '../../descriptions';
import type { Operation } from '../operation';
import { gettingOne } from '../reading';
import { readUuid } from '../values';

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
