import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isEventMessage } from '../../api/delivery';
import { recordsOf } from '../../api/eventRecords';
import { isOfSettled, keyOfRecord, sourceOf } from '../../api/eventSources';
import { connect } from '../../transport/client';
import { COMPLETION } from '../state/timing';

/**
 * Returns the key of a delivered event that does not tell how its record was settled: the record does. Undefined if it
 * is still open, or can't be read, so that the event starts the workflow each time that it comes. Never throws.
 */
export async function settledKey(context: IExecuteFunctions, event: IDataObject): Promise<string | undefined> {
	const source = sourceOf(event.event);
	if (source === undefined || !isOfSettled(event) || !isEventMessage(event)) return undefined;
	const [record] = await connect(context, COMPLETION)
		.then(async (client) => await recordsOf(event).read(client, 1))
		.catch(() => []);
	return record && keyOfRecord(source, record);
}
