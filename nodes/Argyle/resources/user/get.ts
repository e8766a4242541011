import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { USERS } from '../../api/records';
import { userIdField } from '../../descriptions';
import { type Operation, severalAtOnce } from '../operation';
import { readOne } from '../reading';
import { readUuid } from '../values';

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const id = readUuid(context.getNodeParameter('userId', itemIndex, '', { extractValue: true }), 'User');
	return await readOne(context, itemIndex, signal, USERS, id);
}

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a user',
	description: 'Get the record of a user',
	fields: [{ ...userIdField, description: 'The user to get' }],
	begin: severalAtOnce(execute),
};
