import { SUBSCRIPTIONS } from '../../api/subscriptions';
import { subscriptionIdField } from '../../shared/fields';
import { deletionOf } from '../records/deleteRecord';

const idField = {
	...subscriptionIdField,
	description:
		'The subscription to delete. An Argyle Trigger creates its subscription again within five minutes: unpublish its workflow instead.',
};

export const deleteSubscription = deletionOf(SUBSCRIPTIONS, idField, {
	description: 'Stop Argyle from sending events to the address of a subscription, permanently',
	effect: 'endsForGood',
});
