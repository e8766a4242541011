import type { Fault } from '../support/fakeArgyle/index.mts';

/** What a person does, or what Argyle answers, and what n8n then shows. */
export interface Trouble {
	/** The message, without the item. */
	shown: string;
	/** What is said of what to do, in part. */
	advice: string;
	parameters: object;
	/** What Argyle does, for as often as it is asked. */
	fault?: Fault;
	/** Fields of the credential that are wrong. */
	credential?: object;
}

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** Longer than the node has patience for: it says at once what it else would say after a minute. */
const LATER = { 'Retry-After': '3600' };
const PAGE = Buffer.from('<html><title>Maintenance</title></html>');

const answers = (status: number, body?: unknown, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	times: Infinity,
	status,
	body,
	headers,
});

/** An expression, as in most workflows: n8n itself refuses to run a node whose field is plainly empty. */
const expression = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: expression(value) });

const webhook = (operation: string, more: object = {}) => ({ resource: 'webhook', operation, options: {}, ...more });
const create = (more: object = {}) =>
	webhook('create', { name: 'n', url: 'https://example.com', events: ['*'], additionalFields: {}, ...more });
const list = webhook('getAll', { returnAll: true, filters: {} });
const user = (id: unknown) => ({ resource: 'user', operation: 'get', userId: byId(id) });
const receipt = (more: object = {}) => ({
	resource: 'receipt',
	operation: 'generate',
	userId: byId(NOBODY),
	binaryPropertyName: 'data',
	options: {},
	...more,
});

/** Of the Argyle node. */
export const TROUBLES: Trouble[] = [
	{
		shown: 'Authorization failed: Argyle does not know this API key',
		advice: 'Check API Key ID and API Key Secret in the credential.',
		parameters: list,
		credential: { apiKeySecret: 'wrong' },
	},
	{
		shown: 'Authorization failed: this Argyle API key belongs to the other environment',
		advice: 'Set its Environment to',
		parameters: list,
		fault: answers(401, { detail: 'Invalid environment.' }),
	},
	{
		shown: 'Argyle refused the request',
		advice: 'Ask the owner of the Argyle workspace',
		parameters: list,
		fault: answers(403),
	},
	{
		shown: "The Base URL of the Argyle credential can't be used",
		advice: 'https',
		parameters: list,
		credential: { baseUrl: 'http://argyle.example.com' },
	},
	{
		shown: 'Argyle is not available at the moment',
		advice: 'Wait a few minutes and try again.',
		parameters: list,
		fault: answers(503, PAGE, LATER),
	},
	{
		shown: 'Argyle received too many requests at once',
		advice: 'Wait a moment and run the workflow again.',
		parameters: list,
		fault: answers(429, { detail: 'Request was throttled.' }, LATER),
	},
	{
		shown: 'Argyle did not accept the request',
		advice: 'Argyle says: url: Enter a valid URL.',
		parameters: create(),
		fault: answers(400, { url: ['Enter a valid URL.'] }),
	},
	{ shown: `Argyle could not find the user ${NOBODY}`, advice: 'Check the ID.', parameters: receipt() },
	{
		shown: 'The Argyle API answered with a redirect, which was not followed',
		advice: 'Check Base URL in the credential.',
		parameters: list,
		fault: answers(302, undefined, { Location: 'https://example.com' }),
	},
	{
		shown: "Argyle sent an answer that can't be read",
		advice: 'check Base URL in the credential',
		parameters: create(),
		fault: answers(200, PAGE),
	},
	{
		shown: "Argyle sent a list that can't be read",
		advice: "ask Argyle's support",
		parameters: list,
		fault: answers(200, {}),
	},
	{
		shown: "Argyle sent a user that can't be read",
		advice: "ask Argyle's support",
		parameters: user(NOBODY),
		fault: answers(200, []),
	},
	{
		shown: "Argyle sent a webhook subscription that can't be read",
		advice: "ask Argyle's support",
		parameters: create(),
		fault: answers(200, {}),
	},
	{
		shown: 'No event is chosen',
		advice: 'Choose at least one entry in Events.',
		parameters: create({ events: expression([]) }),
	},
	{
		shown: "All Events can't be combined with single events",
		advice: 'keep either All Events or the single ones',
		parameters: create({ events: ['*', 'accounts.connected'] }),
	},
	{
		shown: 'Include Resource is set, but none of the chosen events takes it',
		advice: 'Remove it, or choose one of',
		parameters: create({ events: expression(['users.fully_synced']), additionalFields: { includeResource: true } }),
	},
	{
		shown: 'No Item is given',
		advice: 'enter the ID of at least one Item',
		parameters: create({ events: ['items.updated'] }),
	},
	{
		shown: '31 Items are given, more than Argyle takes',
		advice: 'use several subscriptions',
		parameters: create({
			events: ['items.updated'],
			additionalFields: { items: Array.from({ length: 31 }, (_, index) => `item_${index}`) },
		}),
	},
	{
		shown: 'Days Synced is not a positive whole number',
		advice: 'such as 90',
		parameters: create({ events: ['paystubs.partially_synced'], additionalFields: { daysSynced: 0 } }),
	},
	{
		shown: 'The Name of the webhook subscription is missing',
		advice: 'Enter a name',
		parameters: create({ name: expression('') }),
	},
	{
		shown: 'The URL of the webhook subscription is missing',
		advice: 'Enter the address',
		parameters: create({ url: expression('') }),
	},
	{
		shown: 'The URL of the webhook subscription is not a web address',
		advice: 'Enter a complete address',
		parameters: create({ url: 'example' }),
	},
	{ shown: 'User is missing', advice: 'Choose an entry in User', parameters: user('') },
	{ shown: 'User is not a valid ID', advice: 'An ID at Argyle looks like', parameters: user('bob') },
	{
		shown: 'Limit is not a positive whole number',
		advice: 'such as 50',
		parameters: { ...list, returnAll: false, limit: 0 },
	},
	{
		shown: 'Created After is not a date',
		advice: 'Enter a date such as',
		parameters: { ...list, filters: { createdAfter: expression('soon') } },
	},
	{
		shown: 'Secret is empty',
		advice: 'secret',
		parameters: webhook('verify', { rawBodyProperty: 'data', signature: 'x', secret: expression('') }),
	},
	{
		shown: 'The Argyle node can\'t do "remove" with "user"',
		advice: 'Update n8n-nodes-argyle',
		parameters: { resource: 'user', operation: 'remove' },
	},
	{
		shown: 'Receipts exist only in Production',
		advice: 'Choose a credential for Production.',
		parameters: receipt(),
		credential: { environment: 'sandbox' },
	},
	{
		shown: 'Put Output File in Field is empty',
		advice: 'such as data',
		parameters: receipt({ binaryPropertyName: expression(' ') }),
	},
	{
		shown: 'Argyle sent something else instead of a PDF receipt',
		advice: 'Try again',
		parameters: receipt(),
		fault: answers(200, PAGE),
	},
	{
		shown: 'The file that Argyle sent is larger than 512 MB',
		advice: 'It was not kept.',
		parameters: receipt(),
		fault: answers(200, Buffer.from('%PDF-1.7'), { 'Content-Length': String(600 * 1024 * 1024) }),
	},
];

/** Of the Argyle Trigger, when its workflow is published: message and what to do are one text. */
export const PUBLISHING: Trouble[] = [
	{
		shown: "Argyle can't reach this n8n at http://127.0.0.1",
		advice: 'WEBHOOK_URL',
		parameters: {},
		credential: { environment: 'sandbox' },
	},
	{
		shown: 'No event is chosen',
		advice: 'Choose at least one entry in Events.',
		parameters: { events: expression([]) },
	},
	{
		shown: "All Events can't be combined with single events",
		advice: 'keep either',
		parameters: { events: ['*', 'accounts.connected'] },
	},
	{
		shown: 'Days Synced is not a positive whole number',
		advice: 'such as 90',
		parameters: { events: ['paystubs.partially_synced'], options: { daysSynced: 0 } },
	},
	{ shown: 'No Item is given', advice: 'enter the ID of at least one Item', parameters: { events: ['items.updated'] } },
	{
		shown: 'Authorization failed: Argyle does not know this API key',
		advice: 'Then publish the workflow again.',
		parameters: {},
		credential: { apiKeySecret: 'wrong' },
	},
];
