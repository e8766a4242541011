import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../../transport/client';
import { deleteSubscription } from '../../api/webhooks';
import { webhookIdField } from '../../shared/fields';
import { oneByOne, type Operation } from '../operation';
import { readWebhookId } from './shared';

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const id = readWebhookId(context, itemIndex);
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
