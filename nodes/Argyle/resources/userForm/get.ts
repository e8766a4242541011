import { USER_FORMS } from '../../api/collections';
import { readUuid } from '../../shared/parameters';
import { EXAMPLE_UUID } from '../../utils/uuid';
import type { Operation } from '../operation';
import { getOne } from '../readOperations';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a user form',
	description: 'Get what a person wrote into a form',
	fields: [
		{
			displayName: 'User Form ID',
			name: 'userFormId',
			type: 'string',
			default: '',
			required: true,
			placeholder: `e.g. ${EXAMPLE_UUID}`,
			description: 'The form to get. The Argyle Trigger gives its ID as data.user_form.',
			hint: 'After an Argyle Trigger: {{ $json.data.user_form }}',
		},
	],
	...getOne(USER_FORMS, (context, itemIndex) =>
		readUuid(context.getNodeParameter('userFormId', itemIndex, ''), 'User Form ID'),
	),
};
