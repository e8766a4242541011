import { createMask } from '../../api/sensitiveFields';
import * as userWrites from '../../api/userWrites';
import { additionalFields } from '../../shared/fields';
import { refused } from '../../transport/errors';
import type { Operation } from '../operation';
import { readUserFields, userFields } from './userFields';

const fields = additionalFields(userFields);

export const createUser: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a user',
	description:
		'Create a user, for example for a verification. The person is told nothing; an invite creates its user itself.',
	effect: 'changes',
	fields: [fields],
	async execute(context, itemIndex, call) {
		const body = readUserFields(context, itemIndex, fields.name);
		if (Object.keys(body).length === 0) {
			throw refused(
				'No field of the new user has a value',
				'Add a field in Additional Fields, such as Email or External ID, and enter its value.',
			);
		}
		const client = await call.connect();
		return [{ json: createMask()(await userWrites.createUser(client, call.attemptOf, body)) }];
	},
};
