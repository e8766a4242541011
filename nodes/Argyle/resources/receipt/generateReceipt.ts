import { DateTime } from 'luxon';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import * as receipts from '../../api/receipts';
import { readIdToFind } from '../../shared/idToFind';
import { labelUser } from '../../shared/executionLabels';
import { optionsField, textField, userIdField } from '../../shared/fields';
import { readOptionalText, readPositiveInteger } from '../../shared/parameters';
import { DEFAULT_REQUESTS_PER_SECOND, type RequestLimits } from '../../transport/client';
import { hasReceipts } from '../../transport/environment';
import { refused } from '../../transport/errors';
import { Semaphore } from '../../utils/concurrency';
import { safeFileName } from '../../utils/fileName';
import { type ItemCall, type ItemProcessing, type Operation, READ_CONCURRENCY } from '../operation';
import { fileItem, outputFileField, readOutputFileField } from '../outputFile';

const MIME_TYPE = 'application/pdf';

/**
 * How many items are processed for each request under way. n8n reads the credential before an item's request, and
 * writes the file after it. Meanwhile, another item can make its request.
 */
const ITEMS_PER_REQUEST = 2;

function prepare(context: IExecuteFunctions): ItemProcessing {
	// Reads only this option. The expression of another one, such as File Name, may fail for the first item, which must
	// not make all items fail.
	const readOption = (name: string, byDefault: number) =>
		context.getNodeParameter(`options.${name}`, 0, byDefault) ?? byDefault;
	const requestsPerSecond = readPositiveInteger(
		readOption('requestsPerSecond', DEFAULT_REQUESTS_PER_SECOND),
		'Requests per Second',
		'how many receipts may be asked for in a second, such as 45',
	);
	const maxConcurrency = readPositiveInteger(
		readOption('maxConcurrency', READ_CONCURRENCY),
		'Max Concurrency',
		'how many receipts may be under way at a time, such as 10',
	);
	const limits: RequestLimits = { requestsPerSecond, semaphore: new Semaphore(maxConcurrency) };
	const nameFor = fileNamer(context);
	return {
		concurrency: maxConcurrency * ITEMS_PER_REQUEST,
		execute: async (_, itemIndex, call) => await execute(context, itemIndex, call, limits, nameFor),
	};
}

/**
 * Returns what names the receipts of a run. Argyle gives all receipts one name, and an archive keeps only one file of
 * each name. So a name has the user, the day, and a number if the user comes again.
 */
function fileNamer(context: IExecuteFunctions): (user: string) => string {
	const day = DateTime.local({ zone: context.getTimezone() }).toFormat('yyyy-MM-dd');
	const counts = new Map<string, number>();
	return (user) => {
		const count = (counts.get(user) ?? 0) + 1;
		counts.set(user, count);
		return `receipt-${user}-${day}${count === 1 ? '' : `-${count}`}.pdf`;
	};
}

/** Returns '' if no name was entered. */
function readFileName(context: IExecuteFunctions, itemIndex: number): string {
	const entered = readOptionalText(context.getNodeParameter('options.fileName', itemIndex, ''), 'File Name');
	// If an expression finds nothing, only the extension may be left. That is no name.
	const [extension] = /\.pdf$/i.exec(entered) ?? ['.pdf'];
	// Slashes are replaced, because `safeFileName` drops what stands before one: 2026/001.pdf and 2027/001.pdf would have
	// the same name.
	const name = safeFileName(entered.replace(/\.pdf$/i, '').replace(/[/\\]/g, '-'));
	return name && `${name}${extension}`;
}

async function execute(
	context: IExecuteFunctions,
	itemIndex: number,
	call: ItemCall,
	limits: RequestLimits,
	nameFor: (user: string) => string,
): Promise<INodeExecutionData[]> {
	const findUser = readIdToFind(context, itemIndex, userIdField);
	const binaryPropertyName = readOutputFileField(context, itemIndex);
	const chosenName = readFileName(context, itemIndex);

	const client = await call.connect(limits);
	if (!hasReceipts(client.environment)) {
		throw refused(
			'Receipts exist only in Production',
			'The credential is set to Sandbox, where Argyle makes no receipts. Choose a credential for Production.',
		);
	}
	const user = await findUser(client);
	labelUser(context, user);
	const fileName = chosenName || nameFor(user);
	return await receipts.generateReceipt(client, user, async (bytes) => {
		const file = await context.helpers.prepareBinaryData(bytes, fileName, MIME_TYPE);
		const json = { user, fileName, fileSize: file.bytes, mimeType: MIME_TYPE };
		return [fileItem(context, binaryPropertyName, file, json)];
	});
}

export const generateReceipt: Operation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate a receipt',
	description: 'Make a PDF that lists all billable transactions of a user (Production only)',
	effect: 'reads',
	fields: [
		{ ...userIdField, description: 'The user whose billable transactions are listed' },
		outputFileField,
		optionsField([
			textField(
				'File Name',
				'fileName',
				'e.g. receipt-2026-11.pdf',
				'How the file is named. When empty: receipt, the ID of the user, and the day.',
			),
			{
				displayName: 'Max Concurrency',
				name: 'maxConcurrency',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: READ_CONCURRENCY,
				description:
					'How many receipts may be under way at a time. If Argyle is slow, up to 250 are needed to reach Requests per Second. The value of the first item holds for all.',
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
		]),
	],
	prepare,
};
