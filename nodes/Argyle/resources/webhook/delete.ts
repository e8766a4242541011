import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../../api/client';
import { deleteSubscription } from '../../api/webhooks';
import { webhookIdField } from '../../descriptions';
import { readUuid } from '../values';
import { oneByOne, type Operation } from '../operation';

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const id = readUuid(
		context.getNodeParameter('webhookId', itemIndex, '', { extractValue: true }),
		'Webhook Subscription',
	);
	const client = await connect(context, { itemIndex, signal });
	await deleteSubscription(client, id);
	return [{ json: { deleted: true, id } }];
}

export const deleteOperation: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a webhook subscription',
	description: 'Stop Argyle from sending events to the address of a subscription, permanently',
	fields: [{ ...webhookIdField, description: 'The subscription to delete' }],
	begin: oneByOne(execute),
};
