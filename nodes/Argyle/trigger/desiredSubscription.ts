import type { IHookFunctions } from 'n8n-workflow';

import { isJsonRecord } from '../utils/json';
import { areSameEvents, isSameConfig, type SubscriptionRequest, subscriptionRequest } from '../api/subscriptionRequest';
import type { Subscription } from '../api/webhooks';

/**
 * Takes the trigger's context; gives the subscription that its parameters and its webhook URL ask for.
 * Throws ArgyleError when they can't make one.
 */
export function desiredSubscription(context: IHookFunctions): SubscriptionRequest {
	const options: unknown = context.getNodeParameter('options', {});
	const { subscriptionName, ...settings } = isJsonRecord(options) ? options : {};
	const chosenName = typeof subscriptionName === 'string' ? subscriptionName.trim() : '';
	return subscriptionRequest({
		name: chosenName || `n8n – ${context.getWorkflow().name}`,
		url: context.getNodeWebhookUrl('default'),
		events: context.getNodeParameter('events'),
		...settings,
	});
}

/**
 * Takes a stored subscription and the wanted one; tells whether the stored one does what is wanted. Its name is a
 * label and may differ.
 */
export function matches(stored: Subscription, wanted: SubscriptionRequest): boolean {
	return (
		stored.url === wanted.url &&
		areSameEvents(stored.events, wanted.events) &&
		isSameConfig(stored.config, wanted.config)
	);
}
