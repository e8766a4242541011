import type { INodeProperties } from 'n8n-workflow';

import { getRecord, listOf } from '../api/collections';
import { FAMILIES, type Family, withArticle } from '../api/families';
import { listRecords } from '../api/pagination';
import { accountIdField, returnAllFields, userFormIdField, userIdField } from '../shared/fields';
import { readFilterValues, readLimit, readUuid } from '../shared/parameters';
import { connect } from '../transport/client';
import { EXAMPLE_UUID } from '../utils/ids';
import { downloadOf } from './records/downloadFile';
import { filterFields, readFilters } from './records/filterFields';
import { asEventsField, toFormEvents, wantsEvents } from './formEvents';
import { type Operation, READ_CONCURRENCY, type Resource } from './operation';
import { outputFields, readOutput } from './recordOutput';
import { writesOf } from './writeOperations';

const titleCase = (text: string) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Chosen from a list are records that people know by what they hold, and by which they filter all others. */
const PICKERS: Record<string, INodeProperties | undefined> = {
	user: userIdField,
	userForm: userFormIdField,
	account: accountIdField,
};

function idFieldOf(resource: string, { one, eventField }: Family): INodeProperties {
	const hint = eventField && `After an Argyle Trigger: {{ $json.data.${eventField} }}`;
	const picker = PICKERS[resource];
	if (picker !== undefined) return { ...picker, hint };
	return {
		displayName: `${titleCase(one)} ID`,
		name: `${resource}Id`,
		type: 'string',
		default: '',
		required: true,
		placeholder: `e.g. ${EXAMPLE_UUID}`,
		hint,
	};
}

function get(resource: string, family: Family): Operation {
	const { one } = family;
	const idField = idFieldOf(resource, family);
	return {
		value: 'get',
		name: 'Get',
		action: `Get ${withArticle(one)}`,
		description: `Get the record of ${withArticle(one)}`,
		fields: [{ ...idField, description: `The ${one} to get` }, ...outputFields(family)],
		concurrency: READ_CONCURRENCY,
		async execute(context, itemIndex, call) {
			const chosen = context.getNodeParameter(idField.name, itemIndex, '', { extractValue: true });
			const id = readUuid(chosen, idField.displayName);
			const output = readOutput(context, itemIndex, family);
			const client = await connect(context, { itemIndex, ...call });
			return context.helpers.returnJsonArray(output(await getRecord(client, family, id)));
		},
	};
}

function getAll(family: Family): Operation {
	const { many } = family;
	const isForms = family === FAMILIES.userForm;
	return {
		value: 'getAll',
		name: 'Get Many',
		action: `Get many ${many}`,
		description: `Get the ${many} of the Argyle account, or those that the filters leave`,
		fields: [...returnAllFields, filterFields(family), ...outputFields(family, isForms ? [asEventsField] : [])],
		concurrency: READ_CONCURRENCY,
		async execute(context, itemIndex, call) {
			const limit = readLimit(context, itemIndex);
			const asEvents = isForms && wantsEvents(context, itemIndex);
			const filters = readFilters(family, readFilterValues(context, itemIndex), context.getTimezone());
			const output = readOutput(context, itemIndex, family);
			const client = await connect(context, { itemIndex, ...call });
			const records = await listRecords(client, { ...listOf(family), ...filters }, limit);
			if (asEvents) return context.helpers.returnJsonArray(await toFormEvents(context, client, records));
			return context.helpers.returnJsonArray(records.map(output));
		},
	};
}

/** Get, where Argyle has it, Get Many, Download of files and what can be written, for each family of records. */
export const familyResources: Resource[] = Object.entries<Family>(FAMILIES).map(([value, family]) => ({
	value,
	name: titleCase(family.one),
	operations: [
		...(family.isListOnly ? [] : [get(value, family)]),
		getAll(family),
		...(family.fileFields ? [downloadOf(family, idFieldOf(value, family), family.fileFields)] : []),
		...writesOf(value, idFieldOf(value, family)),
	],
}));
