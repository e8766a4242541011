import { answers, byId, type ErrorCase, expression, HTML_PAGE, UNKNOWN_ID } from './errorCase.mts';
import { RECORD_ERRORS } from './recordErrorCases.mts';

/** Longer than the node retries, so that it fails at once instead of after a minute. */
const RETRY_IN_AN_HOUR = { 'Retry-After': '3600' };

const webhook = (operation: string, more: object = {}) => ({ resource: 'webhook', operation, options: {}, ...more });
const create = (more: object = {}) =>
	webhook('create', { name: 'n', url: 'https://example.com', events: ['*'], additionalFields: {}, ...more });
const list = webhook('getAll', { returnAll: true, filters: {} });
const receipt = (more: object = {}) => ({
	resource: 'receipt',
	operation: 'generate',
	userId: byId(UNKNOWN_ID),
	binaryPropertyName: 'data',
	options: {},
	...more,
});

/** Errors of the Argyle node. */
export const EXECUTION_ERRORS: ErrorCase[] = [
	{
		message: 'Authorization failed: Argyle does not know this API key',
		advice: 'Check API Key ID and API Key Secret in the credential.',
		parameters: list,
		credential: { apiKeySecret: 'wrong' },
	},
	{
		message: 'Authorization failed: this Argyle API key belongs to the other environment',
		advice: 'Change Base URL in the credential',
		parameters: list,
		fault: answers(401, { detail: 'Invalid environment.' }),
	},
	{
		message: 'Argyle refused the request',
		advice: 'Ask the owner of the Argyle workspace',
		parameters: list,
		fault: answers(403),
	},
	{
		message: "The Base URL of the Argyle credential can't be used",
		advice: 'https',
		parameters: list,
		credential: { baseUrl: 'http://argyle.example.com' },
	},
	{
		message: 'Argyle is not available at the moment',
		advice: 'Wait a few minutes and try again.',
		parameters: list,
		fault: answers(503, HTML_PAGE, RETRY_IN_AN_HOUR),
	},
	{
		message: 'Argyle received too many requests at once',
		advice: 'Wait a moment and run the workflow again.',
		parameters: list,
		fault: answers(429, { detail: 'Request was throttled.' }, RETRY_IN_AN_HOUR),
	},
	{
		message: 'Argyle did not accept the request',
		advice: 'Argyle says: url: Enter a valid URL.',
		parameters: create(),
		fault: answers(400, { url: ['Enter a valid URL.'] }),
	},
	{ message: `Argyle could not find the user ${UNKNOWN_ID}`, advice: 'Check the ID.', parameters: receipt() },
	{
		message: 'The Argyle API answered with a redirect, which was not followed',
		advice: 'Check Base URL in the credential.',
		parameters: list,
		fault: answers(302, undefined, { Location: 'https://example.com' }),
	},
	{
		message: "Argyle sent an answer that can't be read",
		advice: 'check Base URL in the credential',
		parameters: list,
		fault: answers(200, HTML_PAGE),
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
		message: 'No event is chosen',
		advice: 'Choose at least one entry in Events.',
		parameters: create({ events: expression([]) }),
	},
	{
		message: 'Days Synced is not a positive whole number',
		advice: 'such as 90',
		parameters: create({ events: ['paystubs.partially_synced'], additionalFields: { daysSynced: 0 } }),
	},
	{
		message: 'Limit is not a positive whole number',
		advice: 'such as 50',
		parameters: { ...list, returnAll: false, limit: 0 },
	},
	{
		message: 'Created After is not a date',
		advice: 'Enter a date such as',
		parameters: { ...list, filters: { createdAfter: expression('soon') } },
	},
	{
		message: 'Secret is no text',
		advice: 'empty the field',
		parameters: webhook('verify', { rawBodyProperty: 'data', signature: 'x', secret: expression(undefined) }),
	},
	{
		message: 'Webhook URL is not a web address',
		advice: 'right behind the Webhook node',
		parameters: webhook('verify', { rawBodyProperty: 'data', signature: 'x' }),
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
		fault: answers(200, HTML_PAGE),
	},
	{
		message: 'The file that Argyle sent is larger than 512 MB',
		advice: 'It was not kept.',
		parameters: receipt(),
		fault: answers(200, Buffer.from('%PDF-1.7'), { 'Content-Length': String(600 * 1024 * 1024) }),
	},
	...RECORD_ERRORS,
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
		message: "All Events can't be combined with single events",
		advice: 'keep either',
		parameters: { events: ['*', 'accounts.connected'] },
	},
	{
		message: 'Days Synced is not a positive whole number',
		advice: 'such as 90',
		parameters: { events: ['paystubs.partially_synced'], options: { daysSynced: 0 } },
	},
	{
		message: 'Items is empty',
		advice: 'choose at least one employer in Items',
		parameters: { events: ['items.updated'] },
	},
	{
		message: 'Authorization failed: Argyle does not know this API key',
		advice: 'When that is done, publish the workflow again.',
		parameters: {},
		credential: { apiKeySecret: 'wrong' },
	},
];
