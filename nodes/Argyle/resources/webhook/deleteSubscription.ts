import { deleteRecord } from '../../api/deletion';
import { SUBSCRIPTIONS } from '../../api/subscriptions';
import { subscriptionIdField } from '../../shared/fields';
import type { Operation } from '../operation';
import { readSubscriptionId } from './subscriptionOutput';

export const deleteSubscription: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a webhook subscription',
	description: 'Stop Argyle from sending events to the address of a subscription, permanently',
	effect: 'endsForGood',
	fields: [
		{
			...subscriptionIdField,
			description:
				'The subscription to delete. One of an Argyle Trigger is made anew within five minutes: unpublish its workflow instead.',
		},
	],
	async execute(context, itemIndex, call) {
		const id = readSubscriptionId(context, itemIndex);
		const client = await call.connect();
		await deleteRecord(client, call.attemptOf, SUBSCRIPTIONS, id);
		return [{ json: { deleted: true, id } }];
	},
};
