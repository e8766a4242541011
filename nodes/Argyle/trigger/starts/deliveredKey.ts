import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isEventMessage } from '../../api/delivery';
import { recordsOf } from '../../api/eventRecords';
import { needsRecordForKey, keyOfRecord, sourceOf } from '../../api/eventSources';
import { getRecord } from '../../api/records';
import { connect } from '../../transport/client';
import { asArgyleError } from '../../transport/errors';
import { isId } from '../../utils/ids';
import { isDataObject } from '../../utils/json';
import { COMPLETION } from '../state/timing';

/**
 * Reads the record of a delivered event that does not say how the record has changed, and returns the event's key.
 * Undefined if the record no longer tells of such an event, or can't be read. Then the event starts the workflow each
 * time that it comes. Never throws.
 */
export async function deliveredKey(context: IExecuteFunctions, event: IDataObject): Promise<string | undefined> {
	const source = sourceOf(event.event);
	if (source === undefined || !needsRecordForKey(event) || !isEventMessage(event)) return undefined;
	const { [source.field]: id, resource } = event.data;
	// An event with an unsettled state, such as PROCESSING, has no key. The record may be settled by now, but that has an
	// event of its own.
	if (isDataObject(resource) && resource.id === id && keyOfRecord(source, resource) === undefined) return undefined;
	const [record] = await connect(context, COMPLETION)
		.then(async (client) =>
			isId(id) ? [await getRecord(client, source.recordType, id)] : await recordsOf(event).read(client, 1),
		)
		.catch((error: unknown) => {
			context.logger.info(
				`Argyle does not show the record of an event ${source.event}, so it may start this workflow again: ${asArgyleError(error).message}`,
			);
			return [];
		});
	return record && keyOfRecord(source, record);
}
