import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, DEFAULT_REQUESTS_PER_SECOND } from '../../api/client';
import { safeFileName } from '../../api/contentDisposition';
import { hasReceipts } from '../../api/environment';
import { ArgyleError } from '../../api/errors';
import { generateReceipt } from '../../api/receipts';
import { userIdField } from '../../descriptions';
import { type Operation, READS_AT_ONCE } from '../operation';
import { readCount, readUuid } from '../values';

const MIME_TYPE = 'application/pdf';

/** The same for all items, as the first one has it. */
function atOnce(context: IExecuteFunctions): number {
	const value: unknown = context.getNodeParameter('options.maxConcurrency', 0, READS_AT_ONCE);
	return readCount(value, 'Max Concurrency', 'how many receipts may be under way at a time, such as 10');
}

function readRate(context: IExecuteFunctions): number {
	const value: unknown = context.getNodeParameter('options.requestsPerSecond', 0, DEFAULT_REQUESTS_PER_SECOND);
	return readCount(value, 'Requests per Second', 'how many receipts may be asked for in a second, such as 45');
}

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const user = readUuid(context.getNodeParameter('userId', itemIndex, '', { extractValue: true }), 'User');
	const binaryPropertyName = readBinaryPropertyName(context.getNodeParameter('binaryPropertyName', itemIndex));
	const chosenName = safeFileName(String(context.getNodeParameter('options.fileName', itemIndex, '')));

	const client = await connect(context, { itemIndex, signal, requestsPerSecond: readRate(context) });
	if (!hasReceipts(client.environment)) {
		throw new ArgyleError(
			'Receipts exist only in Production',
			'The credential is set to Sandbox, where Argyle makes no receipts. Choose a credential for Production. Nothing was sent to Argyle.',
		);
	}
	return await generateReceipt(client, user, async (receipt) => {
		const fileName = chosenName || receipt.fileName || `receipt-${user}.pdf`;
		const file = await context.helpers.prepareBinaryData(receipt.bytes, fileName, MIME_TYPE);
		return [
			{
				json: { user, fileName, fileSize: file.bytes, mimeType: MIME_TYPE },
				binary: { [binaryPropertyName]: file },
			},
		];
	});
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
		{ ...userIdField, description: 'The user whose billable transactions are listed' },
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
				{
					displayName: 'Max Concurrency',
					name: 'maxConcurrency',
					type: 'number',
					typeOptions: { minValue: 1, numberPrecision: 0 },
					default: READS_AT_ONCE,
					description: 'How many receipts may be under way at a time. The value of the first item holds for all.',
				},
				{
					displayName: 'Requests per Second',
					name: 'requestsPerSecond',
					type: 'number',
					typeOptions: { minValue: 1, numberPrecision: 0 },
					default: DEFAULT_REQUESTS_PER_SECOND,
					description:
						'How many receipts may be asked for in a second. Argyle allows 50 requests a second for the whole account; the node goes slower by itself when others use it too.',
				},
			],
		},
	],
	atOnce,
	execute,
};
