import type { IDataObject } from 'n8n-workflow';

import { listRecords } from '../../api/pagination';
import { SUBSCRIPTION_LIST } from '../../api/subscriptions';
import { filtersField, returnAllFields } from '../../shared/fields';
import { assertInOrder, readDate, readFilterValues, readLimit } from '../../shared/parameters';
import { connect } from '../../transport/client';
import { type Operation, READ_CONCURRENCY } from '../operation';
import { secretOptionField, readSubscriptionOutput } from './subscriptionOutput';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhook subscriptions',
	description: 'Get the subscriptions of the Argyle account',
	fields: [
		...returnAllFields,
		filtersField([
			{
				displayName: 'Created After',
				name: 'createdAfter',
				type: 'dateTime',
				default: '',
				description: 'Leave out subscriptions that are older',
			},
			{
				displayName: 'Created Before',
				name: 'createdBefore',
				type: 'dateTime',
				default: '',
				description: 'Leave out subscriptions that are newer',
			},
			{
				displayName: 'Ordering',
				name: 'ordering',
				type: 'options',
				options: [
					{ name: 'By Creation Time', value: 'created_at' },
					{ name: 'By ID', value: 'id' },
				],
				default: 'created_at',
				description: 'How the subscriptions are sorted',
			},
		]),
		secretOptionField,
	],
	concurrency: READ_CONCURRENCY,
	async execute(context, itemIndex, call) {
		const limit = readLimit(context, itemIndex);
		const { createdAfter, createdBefore, ordering } = readFilterValues(context, itemIndex);
		const query: IDataObject = {};
		const timeZone = context.getTimezone();
		if (createdAfter) query.from_created_at = readDate(createdAfter, 'Created After', timeZone);
		if (createdBefore) query.to_created_at = readDate(createdBefore, 'Created Before', timeZone);
		assertInOrder(['Created After', query.from_created_at], ['Created Before', query.to_created_at]);
		if (ordering) query.ordering = ordering;
		const output = readSubscriptionOutput(context, itemIndex);
		const client = await connect(context, { itemIndex, ...call });
		const list = { ...SUBSCRIPTION_LIST, query };
		return output(await listRecords(client, list, limit));
	},
};
