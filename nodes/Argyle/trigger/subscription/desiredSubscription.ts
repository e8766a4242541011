import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { deriveSecret } from '../../api/delivery';
import { choosesConnectionLost, subscribedNames } from '../../api/events';
import { isSameUrl, type Subscription, type SubscriptionRequest } from '../../api/subscriptions';
import { subscriptionRequest } from '../../shared/subscriptionRequest';
import { isDataObject } from '../../utils/json';
import { assertSwitches, type TriggerSettings } from '../state/settings';
import { SubscriptionState } from '../state/subscriptionState';

/** A subscription as the trigger wants it, with its signing secret. */
export interface DesiredSubscription {
	request: SubscriptionRequest;
	secret: string;
}

/**
 * Returns the subscription that the trigger's parameters ask for, with its webhook URL. Throws ArgyleError when no
 * subscription can be made of the parameters, or an option is neither on nor off.
 */
export function desiredSubscription(
	settings: TriggerSettings,
	url: string,
	credential: ICredentialDataDecryptedObject,
): DesiredSubscription {
	assertSwitches(settings);
	const { name, events, items, options } = settings;
	const ours = choosesConnectionLost(events) ? { includeResource: true } : {};
	const request = subscriptionRequest({ ...options, ...ours, name, url, events: subscribedNames(events), items });
	return { request, secret: deriveSecret(credential, url) };
}

/** Remembers what this process has created; `created` is what Argyle answered. */
export function rememberCreated(created: Subscription, desired: DesiredSubscription): void {
	const [asked, answered] = [requestText(desired), reportedBy(created)];
	SubscriptionState.to(desired.request.url).create({ id: created.id, asked, answered });
}

/**
 * The secret is part of the text. If Argyle's list hides secrets, only this text shows that a subscription has the
 * secret of an earlier key.
 */
const requestText = ({ request, secret }: DesiredSubscription) => JSON.stringify([secret, reportedBy(request)]);

/**
 * Whether the list hides the secret. If a person has replaced or removed the secret, the list shows another one, or
 * null.
 */
const isHidden = (secret: unknown) => secret === undefined || (typeof secret === 'string' && /[*•]{3}/.test(secret));

/**
 * Whether a stored subscription is the desired one: the two match, or this process created it for the same settings and
 * it still looks as in Argyle's answer to that. Argyle may write a subscription in other words, such as each event's
 * name in place of `*`, or hide the secret. Without the second case, the trigger would replace its subscription at
 * every look.
 */
export function isDesired(stored: Subscription, desired: DesiredSubscription): boolean {
	if (matches(stored, desired)) return true;
	const { request, secret } = desired;
	const { created } = SubscriptionState.to(request.url);
	return (
		created?.id === stored.id &&
		(stored.secret === secret || isHidden(stored.secret)) &&
		isSameUrl(stored.url, request.url) &&
		created.asked === requestText(desired) &&
		created.answered === reportedBy(stored)
	);
}

/** Whether a stored subscription does what is desired. Its name is a label and may differ. */
function matches(stored: Subscription, { request, secret }: DesiredSubscription): boolean {
	return stored.secret === secret && isSameUrl(stored.url, request.url) && reportedBy(stored) === reportedBy(request);
}

/**
 * Returns one text for what a subscription reports, however it is written: with its events in any order, and a `config`
 * that is `{}`, null, missing, or names values that are off.
 */
function reportedBy({ events, config }: IDataObject | SubscriptionRequest): string {
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
