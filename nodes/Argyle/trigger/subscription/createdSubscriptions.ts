import { isSameUrl, type Subscription } from '../../api/subscriptions';
import { LruMap } from '../../utils/lruMap';
import { type DesiredSubscription, matches, reportedBy } from './desiredSubscription';

/** More than n8n can run. */
const MAX_SUBSCRIPTIONS = 10_000;

/** A subscription that this process has created. */
interface Registration {
	desired: DesiredSubscription;
	/** What the service made of it, as `reportedBy` says. */
	reports: string;
}

/** By the subscription's ID. */
const registrations = new LruMap<Registration>(MAX_SUBSCRIPTIONS);

/** `created` is what the service answered. */
export function rememberCreated(created: Subscription, desired: DesiredSubscription): void {
	registrations.set(created.id, { desired, reports: reportedBy(created) });
}

/** A list may hide it. One that a person has replaced or removed is shown, or null. */
const isHidden = (secret: unknown) => secret === undefined || (typeof secret === 'string' && /[*•]{3}/.test(secret));

/**
 * Whether a stored subscription is the desired one: it says so, or this process created it for the same wish, and it is
 * as the service answered then. That may be other words for the same, such as each event for all of them, or a secret
 * that is hidden; without this the trigger would replace its subscription at every look.
 */
export function isDesired(stored: Subscription, desired: DesiredSubscription): boolean {
	if (matches(stored, desired)) return true;
	const created = registrations.get(stored.id);
	const { request, secret } = desired;
	return (
		created !== undefined &&
		created.desired.secret === secret &&
		(stored.secret === secret || isHidden(stored.secret)) &&
		isSameUrl(stored.url, request.url) &&
		reportedBy(created.desired.request) === reportedBy(request) &&
		created.reports === reportedBy(stored)
	);
}
