import type { INodeProperties } from 'n8n-workflow';

import { createMask } from '../../api/sensitiveFields';
import * as userWrites from '../../api/userWrites';
import { additionalFields } from '../../shared/fields';
import { readExternalId } from '../../shared/externalId';
import type { Operation } from '../operation';
import { readUserFields, userFields } from './userFields';

const externalIdField: INodeProperties = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. crm-1001',
	description:
		'Your own ID of the person. The user who has it gets the fields that you enter. If nobody has it, a user is created. If several users have it, the step names them and changes none.',
};

const fields = additionalFields(userFields.filter(({ name }) => name !== externalIdField.name));

export const upsertUser: Operation = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a user',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	effect: 'overwrites',
	fields: [externalIdField, fields],
	async execute(context, itemIndex, call) {
		const { name, displayName } = externalIdField;
		const externalId = readExternalId(context, itemIndex, {
			fieldName: displayName,
			value: context.getNodeParameter(name, itemIndex, ''),
			saved: context.getNodeParameter(name, itemIndex, '', { rawExpressions: true }),
		});
		const entered = readUserFields(context, itemIndex, fields.name);
		const client = await call.connect();
		const { result, user } = await userWrites.upsertUser(client, call.attemptOf, externalId, entered);
		return [{ json: { result, ...createMask()(user) } }];
	},
};
