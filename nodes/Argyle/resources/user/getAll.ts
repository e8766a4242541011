import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { USERS } from '../../api/records';
import { returnAllFields } from '../../descriptions';
import { type Operation, severalAtOnce } from '../operation';
import { readMany } from '../reading';

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const { externalId } = context.getNodeParameter('filters', itemIndex, {});
	const query = externalId ? { external_id: String(externalId) } : {};
	return await readMany(context, itemIndex, signal, USERS, query);
}

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of the Argyle account',
	fields: [
		...returnAllFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'External ID',
					name: 'externalId',
					type: 'string',
					default: '',
					placeholder: 'e.g. crm-1001',
					description: 'Only the users to whom exactly this ID was given when they were created',
				},
			],
		},
	],
	begin: severalAtOnce(execute),
};
