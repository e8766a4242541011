import { argyle, argyleTrigger, inARow, n8nNode } from '../n8n/nodes.mts';
import { credentialFor } from '../service/credential.mts';
import type { Fault } from '../service/index.mts';
import { setStage, type Stage } from './stage.mts';

const SOMEBODY = '00000000-0000-4000-8000-000000000000';
/** Longer than the node has patience for: it says at once what it else would say after a minute. */
const LATER = { 'Retry-After': '3600' };

let stage: Stage;
beforeAll(async () => {
	stage = await setStage();
}, 180_000);
afterEach(() => stage.service.clearFaults());
afterAll(async () => await stage.stop());

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const receipt = (more: object = {}) => ({
	resource: 'receipt',
	operation: 'generate',
	userId: byId(SOMEBODY),
	binaryPropertyName: 'data',
	options: {},
	...more,
});
const webhook = (operation: string, more: object = {}) => ({ resource: 'webhook', operation, options: {}, ...more });
const create = (more: object = {}) =>
	webhook('create', { name: 'n', url: 'https://example.com', events: ['*'], additionalFields: {}, ...more });
const list = webhook('getAll', { returnAll: true, filters: {} });
const user = { resource: 'user', operation: 'get', userId: byId(SOMEBODY) };

/** What a person does, or what the service answers, and what n8n shows then. */
type Trouble = [shown: string, parameters: object, fault?: Fault, credential?: object];

const TROUBLES: Trouble[] = [
	['Authorization failed: Argyle does not know this API key', list, undefined, { apiKeySecret: 'wrong' }],
	[
		'Authorization failed: this Argyle API key belongs to the other environment',
		list,
		{ kind: 'status', status: 401, body: { detail: 'Invalid environment.' } },
	],
	['Argyle refused the request', list, { kind: 'status', status: 403 }],
	["The Base URL of the Argyle credential can't be used", list, undefined, { baseUrl: 'http://argyle.example.com' }],
	['Argyle is not available at the moment', list, { kind: 'status', status: 503, headers: LATER }],
	['Argyle received too many requests at once', list, { kind: 'status', status: 429, headers: LATER }],
	[
		'Argyle did not accept the request',
		create(),
		{ kind: 'status', status: 400, body: { url: ['Enter a valid URL.'] } },
	],
	[`Argyle could not find the user ${SOMEBODY}`, receipt()],
	['The Argyle API answered with a redirect, which was not followed', list, { kind: 'status', status: 302 }],
	["Argyle sent an answer that can't be read", create(), { kind: 'status', status: 200, body: Buffer.from('<html>') }],
	["Argyle sent a list that can't be read", list, { kind: 'status', status: 200, body: {} }],
	["Argyle sent a user that can't be read", user, { kind: 'status', status: 200, body: [] }],
	["Argyle sent a webhook subscription that can't be read", create(), { kind: 'status', status: 200, body: {} }],
	['No event is chosen', create({ events: [] })],
	["All Events can't be combined with single events", create({ events: ['*', 'accounts.added'] })],
	['No Item is given', create({ events: ['items.updated'] })],
	['31 Items are given, more than Argyle takes', create(items(31))],
	['Days Synced is not a positive whole number', create(days(0))],
	['User is missing', receipt({ userId: byId('') })],
	['User is not a valid ID', receipt({ userId: byId('bob') })],
	['Limit is not a positive whole number', { ...list, returnAll: false, limit: 0 }],
	['Created After is not a date', { ...list, filters: { createdAfter: 'yesterday' } }],
	['The Name of the webhook subscription is missing', create({ name: ' ' })],
	['The URL of the webhook subscription is missing', create({ url: '' })],
	['The URL of the webhook subscription is not a web address', create({ url: 'example' })],
	['Secret is empty', webhook('verify', { rawBodyProperty: 'data', signature: 'x', secret: '' })],
	['The Argyle node can\'t do "rename" with "webhook"', webhook('rename')],
	['Receipts exist only in Production', receipt(), undefined, { environment: 'sandbox' }],
	['Put Output File in Field is empty', receipt({ binaryPropertyName: ' ' })],
	[
		'Argyle sent something else instead of a PDF receipt',
		receipt(),
		{ kind: 'status', status: 200, body: Buffer.from('<html><title>Maintenance</title></html>') },
	],
];

function items(count: number): object {
	const ids = Array.from({ length: count }, (_, index) => `item_${index}`);
	return { events: ['items.updated'], additionalFields: { items: ids } };
}

function days(daysSynced: number): object {
	return { events: ['paystubs.partially_synced'], additionalFields: { daysSynced } };
}

async function credential(more: object = {}) {
	return await stage.client.createCredential('Argyle', 'argyleApi', { ...credentialFor(stage.service), ...more });
}

describe('n8n shows what happened', () => {
	it.each(TROUBLES)(
		'%s',
		async (shown, parameters, fault, more) => {
			if (fault !== undefined) stage.service.addFault(fault);
			const nodes = [n8nNode('Start', 'manualTrigger'), argyle(await credential(more), { ...parameters })];
			const workflow = await stage.client.createWorkflow('Trouble', nodes, inARow(nodes));
			const id = await stage.client.run(workflow.id, 'Start');
			await stage.client.waitForExecutions(workflow.id, 1, 60_000);
			const { status, error } = await stage.client.execution(id ?? '');
			expect(status).toBe('error');
			expect(error?.replace(/ \[item 0\]$/, '')).toBe(shown);
		},
		60_000,
	);
});

describe('publishing says why it can not be done', () => {
	it.each<[string, object, object]>([
		["Argyle can't reach this n8n at http://127.0.0.1", {}, { environment: 'sandbox' }],
		['No event is chosen', { events: [] }, {}],
		['No Item is given', { events: ['items.updated'] }, {}],
	])(
		'%s',
		async (shown, parameters, more) => {
			const nodes = [argyleTrigger(await credential(more), { ...parameters }), n8nNode('Done', 'noOp')];
			const workflow = await stage.client.createWorkflow('Trouble', nodes, inARow(nodes));
			await expect(stage.client.publish(workflow)).rejects.toThrow(shown);
		},
		60_000,
	);
});
