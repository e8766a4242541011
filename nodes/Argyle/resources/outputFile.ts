import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { isTool } from '../shared/nodeError';
import { refused } from '../transport/errors';

/** The words are those of n8n's own nodes. */
export const outputFileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	description: 'The name of the output field that is to hold the file',
	hint: 'The name of the output binary field to put the file in',
};

const NOT_HANDED_ON =
	'An agent gets only this description of the file, not the file. To send or store the file, give the agent a Call n8n Workflow Tool, whose workflow makes the file and sends it.';

export function readOutputFileField(context: IExecuteFunctions, itemIndex: number): string {
	const value = context.getNodeParameter(outputFileField.name, itemIndex);
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	throw refused(
		'Put Output File in Field is empty',
		'Enter the name of the output field that is to hold the file, such as data.',
	);
}

export function fileItem(
	context: IExecuteFunctions,
	binaryPropertyName: string,
	file: IBinaryData,
	fields: IDataObject,
): INodeExecutionData {
	const json = isTool(context.getNode()) ? { ...fields, note: NOT_HANDED_ON } : fields;
	return { json, binary: { [binaryPropertyName]: file } };
}
