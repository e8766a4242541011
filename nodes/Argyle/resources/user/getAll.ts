import { USERS } from '../../api/collections';
import { filtersField, returnAllFields } from '../../shared/fields';
import type { Operation } from '../operation';
import { getMany } from '../readOperations';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of the Argyle account',
	fields: [
		...returnAllFields,
		filtersField([
			{
				displayName: 'External ID',
				name: 'externalId',
				type: 'string',
				default: '',
				placeholder: 'e.g. crm-1001',
				description: 'Only the users to whom exactly this ID was given when they were created',
			},
		]),
	],
	...getMany(USERS, ({ externalId }) => (externalId ? { external_id: String(externalId) } : {})),
};
