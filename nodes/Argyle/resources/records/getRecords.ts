import type { INodeProperties } from 'n8n-workflow';

import { USER } from '../../api/filters';
import { listRecords } from '../../api/pagination';
import { getRecord, listOf } from '../../api/records';
import { RECORD_TYPES, type RecordType, withArticle } from '../../api/recordTypes';
import { idReaderOf, idToFind, readIdToFind } from '../../shared/idToFind';
import { filtersField, returnAllFields } from '../../shared/fields';
import { readLimit } from '../../shared/parameters';
import { readFilterValues } from '../../shared/readFilterValues';
import { mapInTurns } from '../../utils/eventLoop';
import type { Operation } from '../operation';
import { asEventsField, toFormEvents, wantsEvents } from './formEvents';
import { filterFields, readFilters } from './filterFields';
import { outputFields, readOutput, toItems } from './recordOutput';

/** Makes the operation Get of a record type. `idField` is the field that names the record. */
export function getOf(recordType: RecordType, idField: INodeProperties): Operation {
	const { one } = recordType;
	return {
		value: 'get',
		name: 'Get',
		action: `Get ${withArticle(one)}`,
		description: `Get the record of ${withArticle(one)}`,
		effect: 'reads',
		fields: [idField, ...outputFields(recordType)],
		async execute(context, itemIndex, call) {
			const findId = readIdToFind(context, itemIndex, idField, idReaderOf(recordType));
			const output = readOutput(context, itemIndex, recordType);
			const client = await call.connect();
			return toItems([output(await getRecord(client, recordType, await findId(client)))]);
		},
	};
}

export function getAllOf(recordType: RecordType): Operation {
	const { many } = recordType;
	const isForms = recordType === RECORD_TYPES.userForm;
	return {
		value: 'getAll',
		name: 'Get Many',
		action: `Get many ${many}`,
		description: `Get the ${many} of the Argyle account, or those that match the filters`,
		effect: 'reads',
		fields: [
			...returnAllFields,
			filtersField(filterFields(recordType)),
			...outputFields(recordType, isForms ? [asEventsField] : []),
		],
		async execute(context, itemIndex, call) {
			const limit = readLimit(context, itemIndex);
			const asEvents = isForms && wantsEvents(context, itemIndex);
			const values = readFilterValues(context, itemIndex, recordType.filters);
			const { user, query, ...tests } = readFilters(recordType, values, context.getTimezone());
			const findUser = user === undefined ? undefined : idToFind(context, user, USER.displayName);
			const output = readOutput(context, itemIndex, recordType);
			const client = await call.connect();
			if (findUser !== undefined) query.user = await findUser(client);
			const records = await listRecords(client, { ...listOf(recordType), query, ...tests }, limit);
			if (asEvents) return toItems(await toFormEvents(context, client, records));
			return toItems(await mapInTurns(records, output));
		},
	};
}
