import * as subscriptions from '../../api/subscriptions';
import { subscriptionIdField } from '../../shared/fields';
import { readChosenId } from '../../shared/parameters';
import type { Operation } from '../operation';
import { secretOptionField, readSubscriptionOutput } from './subscriptionOutput';

export const getSubscription: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a webhook subscription',
	description: 'Get the record of a subscription',
	effect: 'reads',
	fields: [subscriptionIdField, secretOptionField],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, subscriptionIdField);
		const output = readSubscriptionOutput(context, itemIndex);
		const client = await call.connect();
		return output([await subscriptions.getSubscription(client, id)]);
	},
};
