import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../api/client';
import type { JsonRecord } from '../api/guards';
import { readList } from '../api/pages';
import { type Collection, getRecord, listOf } from '../api/records';
import { readLimit } from './values';

/** Takes records as the service gave them; gives them as items. */
export function toItems(context: IExecuteFunctions, records: JsonRecord[]): INodeExecutionData[] {
	return context.helpers.returnJsonArray(records.map((record): IDataObject => JSON.parse(JSON.stringify(record))));
}

/** Reads one record of a collection for an item. Throws ArgyleError. */
export async function readOne(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
	collection: Collection,
	id: string,
): Promise<INodeExecutionData[]> {
	const client = await connect(context, { itemIndex, signal });
	return toItems(context, [await getRecord(client, collection, id)]);
}

/** Reads as many records as an item wants of those that the filters leave. Throws ArgyleError. */
export async function readMany(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
	collection: Collection,
	query: IDataObject,
): Promise<INodeExecutionData[]> {
	const limit = readLimit(context, itemIndex);
	const client = await connect(context, { itemIndex, signal });
	return toItems(context, await readList(client, listOf(collection, query), limit));
}
