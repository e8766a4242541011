import type { INodeProperties } from 'n8n-workflow';

import { deleteRecord } from '../../api/deletion';
import { type RecordType, withArticle } from '../../api/recordTypes';
import { readIdToFind } from '../../shared/idToFind';
import { confirmDeletionField } from '../../shared/fields';
import { readConfirmation } from '../../shared/parameters';
import type { Effect, Operation } from '../operation';

interface Deletion {
	description: string;
	/** @default 'erases' */
	effect?: Effect;
	/** Completes "all data of …". If this is set, nothing is erased unless a switch is on. */
	erases?: string;
}

/** Makes the operation Delete of a record type. `idField` is the field that names the record. */
export function deletionOf(
	recordType: RecordType,
	idField: INodeProperties,
	{ description, effect = 'erases', erases }: Deletion,
): Operation {
	return {
		value: 'delete',
		name: 'Delete',
		action: `Delete ${withArticle(recordType.one)}`,
		description,
		effect,
		fields: [idField, ...(erases === undefined ? [] : [confirmDeletionField])],
		async execute(context, itemIndex, call) {
			const findId = readIdToFind(context, itemIndex, idField);
			if (erases !== undefined) readConfirmation(context, itemIndex, erases);
			const client = await call.connect();
			const id = await findId(client);
			await deleteRecord(client, call.attemptOf, recordType, id);
			return [{ json: { deleted: true, id } }];
		},
	};
}
