import type { IDataObject } from 'n8n-workflow';

import { type EventMessage, isEventMessage } from '../../api/delivery';
import { RECORD_TYPES } from '../../api/recordTypes';
import { recordsOf } from '../../api/eventRecords';
import { returnAllFields } from '../../shared/fields';
import { readLimit, WITHOUT_SAMPLE } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import { mapInTurns } from '../../utils/eventLoop';
import { isSampleId } from '../../utils/ids';
import type { Operation } from '../operation';
import { outputFields, readOutput, toItems } from '../records/recordOutput';

/** Returns the event in the item of an Argyle Trigger, or in the `body` of a Webhook node's item. */
function readEvent(item: IDataObject): EventMessage {
	const message = [item, item.body].find(isEventMessage);
	if (message !== undefined) {
		if (!Object.values(message.data).some(isSampleId)) return message;
		throw refused("The event is a sample, which Argyle doesn't have", WITHOUT_SAMPLE);
	}
	throw refused(
		'The input item is no event of Argyle',
		'Put this node right behind an Argyle Trigger, or hand on its item with event and data.',
	);
}

export const getEventRecords: Operation = {
	value: 'getRecords',
	name: 'Get Records',
	action: 'Get the records of an event',
	description: 'Get the records that the event of an Argyle Trigger speaks of, such as the paystubs of Paystub Added',
	effect: 'reads',
	// The type of the records is known only when an event comes. These fields are those of paystubs, because most types
	// have Simplify as paystubs do.
	fields: [...returnAllFields, ...outputFields(RECORD_TYPES.paystub)],
	async execute(context, itemIndex, call) {
		const limit = readLimit(context, itemIndex);
		const { recordType, read } = recordsOf(readEvent(context.getInputData()[itemIndex].json));
		const output = readOutput(context, itemIndex, recordType);
		const client = await call.connect();
		return toItems(await mapInTurns(await read(client, limit), output));
	},
};
