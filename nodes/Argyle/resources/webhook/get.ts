import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../../transport/client';
import { getSubscription } from '../../api/webhooks';
import { webhookIdField } from '../../shared/fields';
import { type Operation, severalAtOnce } from '../operation';
import { readWebhookId, secretOptionField, toMaskedItems } from './shared';

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const id = readWebhookId(context, itemIndex);
	const client = await connect(context, { itemIndex, signal });
	return toMaskedItems(context, itemIndex, [await getSubscription(client, id)]);
}

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a webhook subscription',
	description: 'Get the record of a subscription',
	fields: [{ ...webhookIdField, description: 'The subscription to get' }, secretOptionField],
	begin: severalAtOnce(execute),
};
