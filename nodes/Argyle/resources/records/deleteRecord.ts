import type { INodeProperties } from 'n8n-workflow';

import { deleteRecord } from '../../api/deletion';
import { type RecordType, withArticle } from '../../api/recordTypes';
import { readIdToFind } from '../../shared/chosenId';
import { confirmDeletionField } from '../../shared/fields';
import { readConfirmation } from '../../shared/parameters';
import type { Effect, Operation } from '../operation';

interface Deletion {
	description: string;
	/** @default 'erases' */
	effect?: Effect;
	/** Completes "all data of …". If it is set, a switch has to be turned on before anything is erased. */
	erases?: string;
}

/** For a record type whose records can be deleted; `idField` names the record. */
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
		fields: [
			{ description: `The ${recordType.one} to delete`, ...idField },
			...(erases === undefined ? [] : [confirmDeletionField]),
		],
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
