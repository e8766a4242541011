import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { SUBSCRIPTION_LIST } from '../api/webhooks';
import { isUuid } from '../utils/uuid';
import { searchPage } from './searchPage';

function label({ name, url, events }: IDataObject): string {
	const parts = [name, url, Array.isArray(events) ? events.join(', ') : undefined];
	return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPage(
		this,
		{
			list: SUBSCRIPTION_LIST,
			label,
			isEntry: ({ id }) => isUuid(id),
			notAllSearched: 'Not all subscriptions were searched. If yours is missing, choose By ID and enter its ID.',
		},
		filter,
		paginationToken,
	);
}
