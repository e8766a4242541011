import {
	BINARY_IN_JSON_PROPERTY,
	type IBinaryData,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';
import { isDataObject } from '../utils/json';

/** A parameter in which a person names a file of the item. */
interface FileParameter {
	displayName: string;
	/** Completes "The item has no file: …". */
	adviceWithoutFile: string;
}

const isBinary = (value: unknown): value is IBinaryData =>
	isDataObject(value) && 'mimeType' in value && ('data' in value || 'id' in value);

/** If the workflow's binary mode is "combined", n8n keeps files in the field `_files` of the item's JSON. */
function binaryFieldsOf({ binary = {}, json }: INodeExecutionData): string[] {
	const files = json[BINARY_IN_JSON_PROPERTY];
	const names = isDataObject(files) ? Object.keys(files).filter((name) => isBinary(files[name])) : [];
	const inJson = names.map((name) => `${BINARY_IN_JSON_PROPERTY}.${name}`);
	return [...Object.keys(binary), ...inJson];
}

/**
 * Returns the file of a parameter. `value` names a file of the item, or is the file itself if an expression gives the
 * file. Throws ArgyleError when the item has no such file.
 */
export async function inputFile(
	context: IExecuteFunctions,
	itemIndex: number,
	value: unknown,
	{ displayName, adviceWithoutFile }: FileParameter,
): Promise<IBinaryData> {
	const source = isBinary(value) ? value : String(value);
	// This is asynchronous, so that `catch()` can replace the error that n8n's helper throws.
	const assertFile = async () => context.helpers.assertBinaryData(itemIndex, source);
	const file = await assertFile().catch(() => {
		const fields = binaryFieldsOf(context.getInputData()[itemIndex]);
		throw new ArgyleError(
			`${displayName} does not name a file of the item`,
			fields.length === 0
				? `The item has no file: ${adviceWithoutFile}`
				: `Enter one of the fields that the item has: ${fields.join(', ')}.`,
		);
	});
	// A file that a Code node makes may have no media type. n8n's helpers would not accept it as a file.
	return Object.assign({ mimeType: 'application/octet-stream' }, file);
}
