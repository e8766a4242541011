import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../transport/client';
import { type JsonRecord, toItemData } from '../utils/json';
import { listRecords } from '../api/pagination';
import { type Collection, getRecord, listOf } from '../api/collections';
import { severalAtOnce } from './operation';
import { readLimit } from '../shared/parameters';

/** Takes records as the service gave them; gives them as items. */
export function toItems(context: IExecuteFunctions, records: JsonRecord[]): INodeExecutionData[] {
	return context.helpers.returnJsonArray(records.map(toItemData));
}

/** Takes a collection, and how an item's id of a record is read; gives the operation that gets that record. */
export const gettingOne = (collection: Collection, readId: (context: IExecuteFunctions, itemIndex: number) => string) =>
	severalAtOnce(async (context, itemIndex, signal) => {
		const id = readId(context, itemIndex);
		const client = await connect(context, { itemIndex, signal });
		return toItems(context, [await getRecord(client, collection, id)]);
	});

/** Takes a collection, and how an item's filters become its query; gives the operation that gets as many of its records as an item wants. */
export const gettingMany = (collection: Collection, toQuery: (filters: IDataObject) => IDataObject) =>
	severalAtOnce(async (context, itemIndex, signal) => {
		const limit = readLimit(context, itemIndex);
		const query = toQuery(context.getNodeParameter('filters', itemIndex, {}));
		const client = await connect(context, { itemIndex, signal });
		return toItems(context, await listRecords(client, listOf(collection, query), limit));
	});
