import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { type RecordType, type FileField, withArticle } from '../../api/recordTypes';
import { readFileFields } from '../../api/fileFields';
import { downloadFile } from '../../api/files';
import { idReaderOf } from '../../shared/idToFind';
import { readChoice, readChosenId } from '../../shared/parameters';
import type { ItemCall, Operation } from '../operation';
import { fileItem, outputFileField, readOutputFileField } from '../outputFile';
import { outputFields, readOutput, toItems } from './recordOutput';

/** Bandwidth limits downloads, so more at a time would only need more memory. */
export const DOWNLOAD_CONCURRENCY = 25;

const FORMATS = { pdf: 'PDF', json: 'JSON', fields: 'Fields' };

const formatField: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: [
		{ name: FORMATS.pdf, value: 'pdf', description: 'A file for people to read' },
		{ name: FORMATS.json, value: 'json', description: 'A file with the same data for other programs' },
		{ name: FORMATS.fields, value: 'fields', description: 'The same data as the fields of the item, without a file' },
	],
	default: 'pdf',
	description: 'How the data are to come out',
};

const shownWith = (...formats: Array<keyof typeof FORMATS>) => ({
	displayOptions: { show: { [formatField.name]: formats } },
});

const formatFields = [
	formatField,
	{ ...outputFileField, ...shownWith('pdf', 'json') },
	...outputFields({}).map((field) => ({ ...field, ...shownWith('fields') })),
];

/**
 * Makes the operation Download of a record type whose records lead to files. `idField` is the field that names the
 * record.
 */
export function downloadOf(recordType: RecordType, idField: INodeProperties, fileFields: FileField[]): Operation {
	const hasFormats = fileFields.length > 1;
	async function execute(context: IExecuteFunctions, itemIndex: number, call: ItemCall): Promise<INodeExecutionData[]> {
		const id = readChosenId(context, itemIndex, idField, idReaderOf(recordType));
		const chosen = hasFormats ? context.getNodeParameter(formatField.name, itemIndex) : 'pdf';
		const format = readChoice(chosen, formatField.displayName, FORMATS);
		if (format === 'fields') {
			const output = readOutput(context, itemIndex, {});
			return toItems([output(await readFileFields(await call.connect(), recordType, id))]);
		}
		const binaryPropertyName = readOutputFileField(context, itemIndex);
		const client = await call.connect();
		const field = format === 'json' ? 'json_url' : 'file_url';
		return await downloadFile(client, recordType, id, field, async ({ bytes, fileName, mimeType }) => {
			const file = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
			const json = { id, fileName, fileSize: file.bytes, mimeType: file.mimeType };
			return [fileItem(context, binaryPropertyName, file, json)];
		});
	}
	return {
		value: 'download',
		name: 'Download',
		action: `Download ${withArticle(recordType.one)}`,
		description: `Get the file of ${withArticle(recordType.one)}${hasFormats ? ', or its data as fields' : ''}`,
		effect: 'reads',
		fields: [idField, ...(hasFormats ? formatFields : [outputFileField])],
		concurrency: DOWNLOAD_CONCURRENCY,
		execute,
	};
}
