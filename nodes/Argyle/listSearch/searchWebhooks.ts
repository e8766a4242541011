import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { isUuid, type JsonRecord } from '../utils/json';
import { SUBSCRIPTION_LIST } from '../api/webhooks';
import { searchPage } from './searchPage';

function label({ name, url, events }: JsonRecord): string {
	const parts = [name, url, Array.isArray(events) ? events.join(', ') : undefined];
	return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

/**
 * The picker of webhook subscriptions: each by its name, address and events; the filter looks into all three and the
 * id.
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPage(
		this,
		{ list: SUBSCRIPTION_LIST, label, isEntry: ({ id }) => isUuid(id) },
		filter,
		paginationToken,
	);
}
