import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { listRecords } from '../../api/pagination';
import { SUBSCRIPTION_LIST } from '../../api/subscriptions';
import { filtersField, returnAllFields } from '../../shared/fields';
import { readChoice, readLimit } from '../../shared/parameters';
import { assertInOrder, readDate } from '../../shared/readDate';
import { readFilterValues } from '../../shared/readFilterValues';
import type { Operation } from '../operation';
import { secretOptionField, readSubscriptionOutput } from './subscriptionOutput';

const ORDERINGS = { created_at: 'By Creation Time', id: 'By ID' };

const FILTERS: INodeProperties[] = [
	{
		displayName: 'Created After',
		name: 'createdAfter',
		type: 'dateTime',
		default: '',
		description: 'Only the webhook subscriptions created at this time or later',
	},
	{
		displayName: 'Created Before',
		name: 'createdBefore',
		type: 'dateTime',
		default: '',
		description: 'Only the webhook subscriptions created at this time or earlier',
	},
	{
		displayName: 'Ordering',
		name: 'ordering',
		type: 'options',
		options: Object.entries(ORDERINGS).map(([value, name]) => ({ name, value })),
		default: 'created_at',
		description: 'How the subscriptions are sorted',
	},
];

export const getAllSubscriptions: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhook subscriptions',
	description: 'Get the webhook subscriptions of the Argyle account, or those that match the filters',
	effect: 'reads',
	fields: [...returnAllFields, filtersField(FILTERS), secretOptionField],
	async execute(context, itemIndex, call) {
		const limit = readLimit(context, itemIndex);
		const { createdAfter, createdBefore, ordering } = readFilterValues(context, itemIndex, FILTERS);
		const query: IDataObject = {};
		const timeZone = context.getTimezone();
		if (createdAfter !== undefined) query.from_created_at = readDate(createdAfter, 'Created After', timeZone);
		if (createdBefore !== undefined) query.to_created_at = readDate(createdBefore, 'Created Before', timeZone, 'to');
		assertInOrder(['Created After', query.from_created_at], ['Created Before', query.to_created_at]);
		if (ordering !== undefined) query.ordering = readChoice(ordering, 'Ordering', ORDERINGS);
		const output = readSubscriptionOutput(context, itemIndex);
		const client = await call.connect();
		const list = { ...SUBSCRIPTION_LIST, query };
		return output(await listRecords(client, list, limit));
	},
};
