import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type Collection, getRecord, listOf } from '../api/collections';
import { listRecords } from '../api/pagination';
import { readLimit } from '../shared/parameters';
import { connect } from '../transport/client';
import { type ItemProcessing, READ_CONCURRENCY } from './operation';

/** Gets the record of a collection whose id an item names. */
export function getOne(
	collection: Collection,
	readId: (context: IExecuteFunctions, itemIndex: number) => string,
): ItemProcessing {
	return {
		concurrency: READ_CONCURRENCY,
		async execute(context, itemIndex, call) {
			const id = readId(context, itemIndex);
			const client = await connect(context, { itemIndex, ...call });
			return context.helpers.returnJsonArray(await getRecord(client, collection, id));
		},
	};
}

/** Gets the records of a collection that an item's filters leave, up to its limit. */
export function getMany(collection: Collection, toQuery: (filters: IDataObject) => IDataObject): ItemProcessing {
	return {
		concurrency: READ_CONCURRENCY,
		async execute(context, itemIndex, call) {
			const limit = readLimit(context, itemIndex);
			const query = toQuery(context.getNodeParameter('filters', itemIndex, {}));
			const client = await connect(context, { itemIndex, ...call });
			return context.helpers.returnJsonArray(await listRecords(client, listOf(collection, query), limit));
		},
	};
}
