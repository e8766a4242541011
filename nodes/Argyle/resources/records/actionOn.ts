import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { createMask } from '../../api/sensitiveFields';
import type { AttemptOf } from '../../api/writeOnce';
import { readChosenId, type readUuid } from '../../shared/parameters';
import type { ArgyleClient } from '../../transport/client';
import type { Operation, OperationDescription } from '../operation';

interface Action extends Omit<OperationDescription, 'fields'> {
	/** `readId` for records whose IDs are not always UUIDs. */
	read?: typeof readUuid;
	/** Resolves with the fields of the item. */
	act(client: ArgyleClient, attemptOf: AttemptOf, id: string, context: IExecuteFunctions): Promise<IDataObject>;
}

/** Makes an operation that needs nothing but the ID of a record. `idField` is the field that names the record. */
export function actionOn(idField: INodeProperties, { read, act, ...description }: Action): Operation {
	return {
		...description,
		fields: [idField],
		async execute(context, itemIndex, call) {
			const id = readChosenId(context, itemIndex, idField, read);
			const client = await call.connect();
			return [{ json: createMask()(await act(client, call.attemptOf, id, context)) }];
		},
	};
}
