import type { Fault } from '../support/fakeArgyle/index.mts';

/** A mistake in a node or its credential, or an error of Argyle, and the error that n8n shows for it. */
export interface ErrorCase {
	/** Part of the error's message. */
	message: string;
	/** Part of its description, which says what to do. */
	advice: string;
	parameters: object;
	/** The fields of the item that the node gets. @default none */
	input?: object;
	fault?: Fault | Fault[];
	/** Wrong fields of the credential. */
	credential?: object;
}

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const answers = (status: number, body?: unknown, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	times: Infinity,
	status,
	body,
	headers,
});

/** n8n itself refuses to run a node with an empty required field, but not with an expression that yields one. */
export const expression = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: expression(value) });

const webhook = (operation: string, more: object = {}) => ({ resource: 'webhook', operation, options: {}, ...more });
const list = webhook('getAll', { returnAll: true, filters: {} });
const receipt = (more: object = {}) => ({
	resource: 'receipt',
	operation: 'generate',
	userId: byId(UNKNOWN_ID),
	binaryPropertyName: 'data',
	options: {},
	...more,
});

const recordsOfEvent = { resource: 'event', operation: 'getRecords', returnAll: true };
const documentFile = { resource: 'payrollDocument', operation: 'download', payrollDocumentId: byId(UNKNOWN_ID) };
const reportFile = (format = 'pdf') => ({
	resource: 'report',
	operation: 'download',
	reportId: byId(UNKNOWN_ID),
	format,
});

const RECORD_PATH = new RegExp(`/${UNKNOWN_ID}$`);
const record = (fields: object): Fault => ({ ...answers(200, { id: UNKNOWN_ID, ...fields }), path: RECORD_PATH });

/** Errors of the Argyle node whose words and advice no other test has. */
export const EXECUTION_ERRORS: ErrorCase[] = [
	{
		message: 'The Argyle API answered with a redirect, which was not followed',
		advice: 'Check Base URL in the credential.',
		parameters: list,
		fault: answers(302, undefined, { Location: 'https://example.com' }),
	},
	{
		message: "Argyle sent a list that can't be read",
		advice: "ask Argyle's support",
		parameters: list,
		fault: answers(200, {}),
	},
	{
		message: "Argyle sent a webhook subscription that can't be read",
		advice: "ask Argyle's support",
		parameters: webhook('get', { webhookId: byId(UNKNOWN_ID) }),
		fault: answers(200, {}),
	},
	{
		message: 'Days Synced is not a positive whole number',
		advice: 'such as 90',
		parameters: webhook('create', {
			...{ name: 'n', url: 'https://example.com', events: ['paystubs.partially_synced'] },
			additionalFields: { daysSynced: 0 },
		}),
	},
	{
		message: 'Limit is not a positive whole number',
		advice: 'such as 50',
		parameters: { ...list, returnAll: false, limit: 0 },
	},
	{
		message: 'Secret is no text',
		advice: 'empty the field',
		parameters: webhook('verify', { binaryPropertyName: 'data', signature: 'x', secret: expression(undefined) }),
	},
	{
		message: 'The Argyle node can\'t do "remove" with "user"',
		advice: 'Update n8n-nodes-argyle',
		parameters: { resource: 'user', operation: 'remove' },
	},
	{
		message: 'Receipts exist only in Production',
		advice: 'Choose a credential for Production.',
		parameters: receipt(),
		credential: { environment: 'sandbox' },
	},
	{
		message: 'Put Output File in Field is empty',
		advice: 'such as data',
		parameters: receipt({ binaryPropertyName: expression(' ') }),
	},
	{
		message: 'Argyle sent something else instead of a PDF receipt',
		advice: 'Run the node again',
		parameters: receipt(),
		fault: answers(200, Buffer.from('<html><title>Maintenance</title></html>')),
	},
	{
		message: "Argyle sent a user that can't be read",
		advice: "ask Argyle's support",
		parameters: { resource: 'user', operation: 'get', userId: byId(UNKNOWN_ID) },
		fault: answers(200, []),
	},
	{
		message: 'The input item is no event of Argyle',
		advice: 'Put this node right behind an Argyle Trigger',
		parameters: recordsOfEvent,
	},
	{
		message: 'The event vehicles.updated names no vehicle',
		advice: 'Connect this node to the Argyle Trigger without changing the item.',
		parameters: recordsOfEvent,
		input: { event: 'vehicles.updated', data: { account: UNKNOWN_ID } },
	},
	{
		message: 'The Argyle node does not know the event invites.sent',
		advice: 'update n8n-nodes-argyle',
		parameters: recordsOfEvent,
		input: { event: 'invites.sent', data: { invite: UNKNOWN_ID } },
	},
	{
		message: `Argyle could not find the file of payroll document ${UNKNOWN_ID}`,
		advice: 'Check the ID.',
		parameters: documentFile,
		fault: record({ file_url: '/file' }),
	},
	{
		message: 'Argyle sent an empty file',
		advice: 'Run the node again',
		parameters: documentFile,
		fault: [record({ file_url: '/file' }), { ...answers(200, Buffer.alloc(0)), path: '/file' }],
	},
	{
		message: 'Argyle is still making this report',
		advice: 'Run the node again in a few minutes',
		parameters: reportFile(),
		fault: record({ status: 'generating', file_url: '/file' }),
	},
	{
		message: 'Argyle could not make this report',
		advice: 'Have it made again',
		parameters: reportFile(),
		fault: record({ status: 'failed' }),
	},
	{
		message: 'Format can\'t be "docx"',
		advice: 'one of pdf, json',
		parameters: reportFile(expression('docx')),
	},
];

/** Errors of the Argyle Trigger when its workflow is published. n8n shows message and description as one text. */
export const PUBLICATION_ERRORS: ErrorCase[] = [
	{
		message: "Argyle can't reach this n8n at http://",
		advice: 'N8N_WEBHOOK_URL',
		parameters: {},
		credential: { environment: 'sandbox' },
	},
	{
		message: 'No event is chosen',
		advice: 'Choose at least one entry in Events.',
		parameters: { events: expression([]) },
	},
	{
		message: 'Authorization failed: Argyle does not know this API key',
		advice: 'When that is done, publish the workflow again.',
		parameters: {},
		credential: { apiKeySecret: 'wrong' },
	},
];
