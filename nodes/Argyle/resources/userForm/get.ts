import { USER_FORMS } from '../../api/collections';
import type { Operation } from '../operation';
import { gettingOne } from '../readOperations';
import { readUuid } from '../../shared/parameters';

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
			placeholder: 'e.g. 0187c66e-e7e5-811c-b006-2232f00f426a',
			description: 'The form to get. The Argyle Trigger gives its ID as data.user_form.',
			hint: 'After an Argyle Trigger: {{ $json.data.user_form }}',
		},
	],
	begin: gettingOne(USER_FORMS, (context, itemIndex) =>
		readUuid(context.getNodeParameter('userFormId', itemIndex, ''), 'User Form ID'),
	),
};
