import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../../api/client';
import { safeFileName } from '../../api/contentDisposition';
import { hasReceipts } from '../../api/environment';
import { ArgyleError } from '../../api/errors';
import { generateReceipt } from '../../api/receipts';
import { readUuid } from '../identifiers';
import type { Operation } from '../operation';

const MIME_TYPE = 'application/pdf';

async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const user = readUuid(context.getNodeParameter('userId', itemIndex, '', { extractValue: true }), 'User');
	const binaryPropertyName = readBinaryPropertyName(context.getNodeParameter('binaryPropertyName', itemIndex));
	const chosenName = safeFileName(String(context.getNodeParameter('options.fileName', itemIndex, '')));

	const client = await connect(context, { itemIndex });
	if (!hasReceipts(client.environment)) {
		throw new ArgyleError(
			'Receipts exist only in Production',
			'The credential is set to Sandbox, where Argyle makes no receipts. Choose a credential for Production. Nothing was sent to Argyle.',
		);
	}
	const receipt = await generateReceipt(client, user);
	const fileName = chosenName || receipt.fileName || `receipt-${user}.pdf`;
	return [
		{
			json: { user, fileName, fileSize: receipt.bytes.length, mimeType: MIME_TYPE },
			binary: { [binaryPropertyName]: await context.helpers.prepareBinaryData(receipt.bytes, fileName, MIME_TYPE) },
		},
	];
}

function readBinaryPropertyName(value: unknown): string {
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	throw new ArgyleError(
		'Put Output File in Field is empty',
		'Enter the name of the output field that is to hold the receipt, such as data. Nothing was sent to Argyle.',
	);
}

export const generate: Operation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate a receipt',
	description: 'Make a PDF that lists all billable transactions of a user (Production only)',
	fields: [
		{
			displayName: 'User',
			name: 'userId',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			description: 'The user whose billable transactions are listed',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Select a user…',
					typeOptions: { searchListMethod: 'searchUsers', searchable: true },
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 0187c66e-e7e5-811c-b006-2232f00f426a',
				},
			],
		},
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the output binary field to put the file in',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'File Name',
					name: 'fileName',
					type: 'string',
					default: '',
					placeholder: 'e.g. receipt-2026-11.pdf',
					description: "How the file is named. Argyle's own name is used when this is empty.",
				},
			],
		},
	],
	execute,
};
