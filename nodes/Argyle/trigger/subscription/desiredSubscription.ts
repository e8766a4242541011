import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { deriveSecret } from '../../api/delivery';
import { type SubscriptionRequest, subscriptionRequest } from '../../api/subscriptionRequest';
import { isSameUrl, type Subscription } from '../../api/subscriptions';
import { isDataObject } from '../../utils/json';
import { assertSwitches, type TriggerSettings } from '../state/settings';

/** A subscription as the trigger wants it, with its signing secret. */
export interface DesiredSubscription {
	request: SubscriptionRequest;
	secret: string;
}

/**
 * What the trigger's parameters ask for, with its webhook URL. Throws ArgyleError when they can't make a subscription,
 * or an option is neither on nor off.
 */
export function desiredSubscription(
	settings: TriggerSettings,
	url: string,
	credential: ICredentialDataDecryptedObject,
): DesiredSubscription {
	assertSwitches(settings);
	const { name, events, items, options } = settings;
	const request = subscriptionRequest({ ...options, name, url, events, items });
	return { request, secret: deriveSecret(credential, url) };
}

/** Whether a stored subscription does what is desired. Its name is a label and may differ. */
export function matches(stored: Subscription, { request, secret }: DesiredSubscription): boolean {
	return stored.secret === secret && isSameUrl(stored.url, request.url) && reportedBy(stored) === reportedBy(request);
}

/**
 * What a subscription reports, in one text for all ways to write it: events in any order; a `config` that is `{}`, null
 * or missing, or spells out values that are off.
 */
export function reportedBy({ events, config }: IDataObject | SubscriptionRequest): string {
	return JSON.stringify([Array.isArray(events) ? sorted(events) : null, canonical(config)]);
}

function canonical(config: unknown): string {
	if (!isDataObject(config)) return '[]';
	const entries = Object.entries(config).filter(([, value]) => value !== null && value !== false);
	return sorted(entries.map(([key, value]) => [key, Array.isArray(value) ? sorted(value) : value]));
}

function sorted(values: unknown[]): string {
	return JSON.stringify(values.map((value) => JSON.stringify(value)).sort());
}
