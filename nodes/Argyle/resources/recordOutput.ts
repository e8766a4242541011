import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Family } from '../api/families';
import { createMask, isSensitive } from '../api/sensitiveFields';
import { optionsField } from '../shared/fields';
import { readBoolean } from '../shared/parameters';

/** As n8n's own nodes have it. */
const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const sensitiveOptionField = optionsField([
	{
		displayName: 'Include Sensitive Data',
		name: 'includeSensitive',
		type: 'boolean',
		default: false,
		description:
			'Whether to put out social security numbers, birth dates and numbers of bank accounts and cards in full. Everyone who can see the execution can read them then.',
	},
]);

export function outputFields({ simplified }: Family): INodeProperties[] {
	return simplified === undefined ? [sensitiveOptionField] : [simplifyField, sensitiveOptionField];
}

/**
 * How an item wants its records: by default simplified and with masks. Simplify keeps what Include Sensitive Data asks
 * for. Throws ArgyleError when a setting can't be read.
 */
export function readOutput(
	context: IExecuteFunctions,
	itemIndex: number,
	{ simplified }: Family,
): (record: IDataObject) => IDataObject {
	const includeSensitive = readBoolean(
		context.getNodeParameter('options.includeSensitive', itemIndex, false),
		'Include Sensitive Data',
	);
	const isSimple = readBoolean(context.getNodeParameter('simplify', itemIndex, true), 'Simplify');
	const isShown = (field: string) => simplified?.includes(field) || (includeSensitive && isSensitive(field));
	const mask = createMask({ isForTokensOnly: includeSensitive });
	return (record) => {
		const chosen =
			isSimple && simplified !== undefined
				? Object.fromEntries(Object.entries(record).filter(([field]) => isShown(field)))
				: record;
		return mask(chosen);
	};
}
