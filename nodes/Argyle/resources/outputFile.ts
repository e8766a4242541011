import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';

/** As n8n's own nodes have it. */
export const outputFileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
};

/** Throws ArgyleError when it is empty. */
export function readOutputFileField(context: IExecuteFunctions, itemIndex: number): string {
	const value = context.getNodeParameter(outputFileField.name, itemIndex);
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	throw new ArgyleError(
		'Put Output File in Field is empty',
		'Enter the name of the output field that is to hold the file, such as data. Nothing was sent to Argyle.',
	);
}
