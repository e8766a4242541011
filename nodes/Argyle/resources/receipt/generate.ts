import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, DEFAULT_REQUESTS_PER_SECOND } from '../../transport/client';
import { safeFileName } from '../../utils/fileName';
import { hasReceipts } from '../../transport/environment';
import { ArgyleError } from '../../transport/errors';
import { generateReceipt } from '../../api/receipts';
import { userIdField } from '../../shared/fields';
import { Semaphore } from '../../utils/semaphore';
import { type Operation, READS_AT_ONCE, type Run } from '../operation';
import { readPositiveInteger, readUuid } from '../../shared/parameters';

const MIME_TYPE = 'application/pdf';

/** How the receipts of one execution are fetched; the same for all items. */
interface Fetching {
	requestsPerSecond: number;
	/** A receipt has one from its request until its last byte. */
	slots: Semaphore;
}

/** What surrounds a request, n8n's reading of the credential and its writing of the file, mustn't keep the next one waiting. */
const ITEMS_FOR_EACH_SLOT = 2;

function begin(context: IExecuteFunctions): Run {
	const option = (name: string, unset: number): unknown => context.getNodeParameter(`options.${name}`, 0, unset);
	const maxConcurrency = readPositiveInteger(
		option('maxConcurrency', READS_AT_ONCE),
		'Max Concurrency',
		'how many receipts may be under way at a time, such as 10',
	);
	const requestsPerSecond = readPositiveInteger(
		option('requestsPerSecond', DEFAULT_REQUESTS_PER_SECOND),
		'Requests per Second',
		'how many receipts may be asked for in a second, such as 45',
	);
	const fetching = { requestsPerSecond, slots: new Semaphore(maxConcurrency) };
	return {
		atOnce: maxConcurrency * ITEMS_FOR_EACH_SLOT,
		one: async (itemIndex, signal) => await execute(context, itemIndex, signal, fetching),
	};
}

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
	{ requestsPerSecond, slots }: Fetching,
): Promise<INodeExecutionData[]> {
	const user = readUuid(context.getNodeParameter('userId', itemIndex, '', { extractValue: true }), 'User');
	const binaryPropertyName = readBinaryPropertyName(context.getNodeParameter('binaryPropertyName', itemIndex));
	const chosenName = safeFileName(String(context.getNodeParameter('options.fileName', itemIndex, '')));

	const client = await connect(context, { itemIndex, signal, requestsPerSecond });
	if (!hasReceipts(client.environment)) {
		throw new ArgyleError(
			'Receipts exist only in Production',
			'The credential is set to Sandbox, where Argyle makes no receipts. Choose a credential for Production. Nothing was sent to Argyle.',
		);
	}
	const giveBack = await slots.acquire();
	try {
		return await generateReceipt(client, user, async (receipt) => {
			receipt.bytes.once('end', giveBack);
			const fileName = chosenName || receipt.fileName || `receipt-${user}.pdf`;
			const file = await context.helpers.prepareBinaryData(receipt.bytes, fileName, MIME_TYPE);
			return [
				{
					json: { user, fileName, fileSize: file.bytes, mimeType: MIME_TYPE },
					binary: { [binaryPropertyName]: file },
				},
			];
		});
	} finally {
		giveBack();
	}
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
	begin,
};
