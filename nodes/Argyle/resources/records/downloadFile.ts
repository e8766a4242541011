import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { type RecordType, type FileField, withArticle } from '../../api/recordTypes';
import { downloadFile } from '../../api/files';
import { idReaderOf } from '../../shared/chosenId';
import { readChoice, readChosenId } from '../../shared/parameters';
import type { ItemCall, Operation } from '../operation';
import { fileItem, outputFileField, readOutputFileField } from '../outputFile';

/** Bandwidth limits downloads, so more at a time would only need more memory. */
export const DOWNLOAD_CONCURRENCY = 25;

const FORMATS = { pdf: 'PDF', json: 'JSON' };

const formatField: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: [
		{ name: FORMATS.pdf, value: 'pdf', description: 'For people to read' },
		{ name: FORMATS.json, value: 'json', description: 'The same data for other programs' },
	],
	default: 'pdf',
	description: 'Which of the files to download',
};

const readFormat = (format: unknown): FileField =>
	readChoice(format, formatField.displayName, FORMATS) === 'pdf' ? 'file_url' : 'json_url';

/**
 * Makes the operation Download of a record type whose records lead to files. `idField` is the field that names the
 * record.
 */
export function downloadOf(recordType: RecordType, idField: INodeProperties, fileFields: FileField[]): Operation {
	const hasFormats = fileFields.length > 1;
	async function execute(context: IExecuteFunctions, itemIndex: number, call: ItemCall): Promise<INodeExecutionData[]> {
		const id = readChosenId(context, itemIndex, idField, idReaderOf(recordType));
		const field = hasFormats ? readFormat(context.getNodeParameter(formatField.name, itemIndex)) : fileFields[0];
		const binaryPropertyName = readOutputFileField(context, itemIndex);
		const client = await call.connect();
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
		description: `Get the file of ${withArticle(recordType.one)}`,
		effect: 'reads',
		fields: [
			idField,
			...(hasFormats ? [formatField] : []),
			outputFileField,
		],
		concurrency: DOWNLOAD_CONCURRENCY,
		execute,
	};
}
