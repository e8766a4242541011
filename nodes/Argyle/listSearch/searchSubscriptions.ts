import { SUBSCRIPTION_LIST } from '../api/subscriptions';
import { joined, listed } from './label';
import { listSearch } from './listSearch';

/** The end of the URL that n8n gives to a trigger: its webhook ID, and the path of its one webhook. */
const TRIGGER_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/webhook$/;

/**
 * Says whether an Argyle Trigger has made the subscription. This goes first in the line, because n8n shows only some
 * fifty characters. n8n's editor and its webhooks can have different addresses, so a trigger with another address may
 * belong to this n8n too.
 */
function owner(url: unknown, instanceUrl: string): string {
	if (typeof url !== 'string' || !TRIGGER_PATH.test(url)) return '';
	return url.startsWith(instanceUrl) ? 'Argyle Trigger of this n8n' : 'Argyle Trigger';
}

export const searchSubscriptions = listSearch((context) => ({
	list: SUBSCRIPTION_LIST,
	label: ({ name, url, events }) => joined([owner(url, context.getInstanceBaseUrl()), name, url, listed(events)]),
	notAllSearched: 'Not all subscriptions were searched. If yours is missing, choose By ID and enter its ID.',
}));
