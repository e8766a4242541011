import { createMask } from '../../api/sensitiveFields';
import * as userWrites from '../../api/userWrites';
import { readIdToFind } from '../../shared/idToFind';
import { updateFields, userIdField } from '../../shared/fields';
import { refused } from '../../transport/errors';
import type { Operation } from '../operation';
import { readUserFields, userFields } from './userFields';

const fields = updateFields(userFields);

export const updateUser: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a user',
	description: 'Change those fields of a user for which you enter a value. All other fields stay as they are.',
	effect: 'overwrites',
	fields: [userIdField, fields],
	async execute(context, itemIndex, call) {
		const findUser = readIdToFind(context, itemIndex, userIdField);
		const body = readUserFields(context, itemIndex, fields.name);
		if (Object.keys(body).length === 0) {
			throw refused('No field to change has a value', 'Add a field in Update Fields and enter its new value.');
		}
		const client = await call.connect();
		return [{ json: createMask()(await userWrites.updateUser(client, await findUser(client), body)) }];
	},
};
