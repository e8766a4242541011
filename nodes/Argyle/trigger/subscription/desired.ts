import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { type SubscriptionConfig, type SubscriptionRequest, subscriptionRequest } from '../../api/subscriptionRequest';
import { isSameUrl, type Subscription } from '../../api/subscriptions';
import { isDataObject } from '../../utils/json';
import { assertSwitches, eventName, optionsOf } from '../settings';

/**
 * What the trigger's parameters ask for, with its webhook URL. Throws ArgyleError when they can't make a subscription,
 * or an option is neither on nor off.
 */
export function desiredSubscription(
	context: IHookFunctions | ITriggerFunctions,
	url: string | undefined,
): SubscriptionRequest {
	assertSwitches(context);
	return subscriptionRequest({
		...optionsOf(context),
		name: eventName(context),
		url,
		events: context.getNodeParameter('events'),
		items: context.getNodeParameter('items', []),
	});
}

/** Whether a stored subscription does what is desired. Its name is a label and may differ. */
export function matches(stored: Subscription, desired: SubscriptionRequest): boolean {
	return (
		isSameUrl(stored.url, desired.url) &&
		areSameEvents(stored.events, desired.events) &&
		isSameConfig(stored.config, desired.config)
	);
}

/** In whatever order. */
function areSameEvents(stored: unknown, desired: string[]): boolean {
	return Array.isArray(stored) && sorted(stored) === sorted(desired);
}

/** A stored `config` can be `{}` or null where none is desired, and spell out values that are off. */
function isSameConfig(stored: unknown, desired: SubscriptionConfig | undefined): boolean {
	return canonical(stored) === canonical(desired);
}

function canonical(config: unknown): string {
	if (!isDataObject(config)) return '[]';
	const entries = Object.entries(config).filter(
		([, value]) => value !== null && value !== undefined && value !== false,
	);
	return sorted(entries.map(([key, value]) => [key, Array.isArray(value) ? sorted(value) : value]));
}

function sorted(values: unknown[]): string {
	return JSON.stringify(values.map((value) => JSON.stringify(value)).sort());
}
