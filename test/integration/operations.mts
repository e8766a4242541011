import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { resources } from '../../nodes/Argyle/resources';
import type { RecordTypeName } from '../support/fakeArgyle/recordTypes.mts';
import { verificationProgress } from '../support/fakeArgyle/reportFiles.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import type { StoredRecord } from '../support/fakeArgyle/types.mts';
import { byId, type NodeFixture } from '../support/n8nCore/nodeFixture.mts';

/** Every operation, as a saved workflow names it. */
export const OPERATIONS = resources.flatMap(({ value: resource, operations }) =>
	operations.map(({ value: operation, effect, fields }) => ({
		...{ title: `${resource} ${operation}`, resource, operation, effect, fields },
	})),
);

/** What is entered in an operation, and the items that come in. @default one empty item */
type Input = [parameters: Record<string, unknown>, items?: INodeExecutionData[]];

/** What an operation that must not be sent twice does to the world. */
export interface Write {
	/** Whether no other is sent, answered and looked up as it is, so that all that can go wrong is tried. */
	isKind?: boolean;
	/** @default 'POST' */
	method?: string;
	/** How often it was done. */
	count: (node: NodeFixture) => number;
	/** Whether Argyle can be asked what became of it. @default true */
	isFound?: boolean;
	/** Whether the answer has something to read. @default true */
	hasAnswer?: boolean;
	/** Whether doing it again makes one more. @default true */
	addsUp?: boolean;
	/** The ID of the record that is its item: {id}. */
	what: string;
	check: string;
	/** @default a record with an ID */
	output?: IDataObject;
}

interface OperationCase {
	/**
	 * With what it does what it is for, and puts out all that the fake Argyle knows. @default all records of a list, or
	 * the ID of each
	 */
	input?: (node: NodeFixture) => Promise<Input>;
	write?: Write;
}

const recordsOf = async (node: NodeFixture, resource: string): Promise<INodeExecutionData[]> =>
	(await node.run({ resource, operation: 'getAll', returnAll: true, filters: {} })).map(({ json }) => ({ json }));

const ALEX = {
	...{ firstName: 'Alex', lastName: 'Sample' },
	...{ sendBy: 'both', email: 'alex@example.com', phoneNumber: '+12125550123' },
	additionalFields: {
		...{ externalId: 'LOAN-4711', templateId: '8ABCD1EF', employers: ['item_000001422'], notify: 'a@b.co' },
	},
};

const BOB = {
	...{ firstName: 'Bob', lastName: 'Jones', email: 'bob.jones@example.com', phoneNumber: '+15550100123' },
	...{ externalId: 'LOAN-4712', ssn: '522-09-1191', birthDate: '1980-02-01' },
	address: {
		value: {
			...{ line1: '759 Victoria Plaza', line2: 'Apt 2', city: 'Los Angeles', state: 'CA' },
			...{ postalCode: '90001', country: 'US' },
		},
	},
};

const orderOf = (node: NodeFixture) => ({
	...{ userId: byId(node.userId(1)), reportType: 'voie' },
	additionalFields: {
		...{ loanNumber: '4711', borrowerId: 'B1', applicationId: 'A1', officerEmail: 'officer@example.com' },
		...{ costCenter: '5', division: 'retail', notify: 'team@example.com' },
	},
});

async function sentInvite(node: NodeFixture): Promise<Input> {
	const [invite] = await node.run({ resource: 'invite', operation: 'send', ...ALEX });
	return [{ inviteId: byId(String(invite?.json.id)) }];
}

async function orderedVerification(node: NodeFixture) {
	const [verification] = await node.run({ resource: 'verification', operation: 'order', ...orderOf(node) });
	return byId(String(verification?.json.id));
}

async function userWithMetadata(node: NodeFixture): Promise<Input> {
	const [user] = node.service.users.values();
	Object.assign(user ?? {}, { external_metadata: {} });
	return [{ userId: byId(node.userId()), externalId: 'crm-1001', additionalFields: BOB, updateFields: BOB }];
}

const lastOf =
	(resource: string) =>
	async (node: NodeFixture): Promise<Input> => [
		{ [`${resource}Id`]: byId('={{ $json.id }}'), confirmDeletion: true },
		(await recordsOf(node, resource)).slice(-1),
	];

/** An item with a file in n8n's binary store. */
async function fileItem(text: string, mimeType: string): Promise<INodeExecutionData> {
	const service = Container.get(BinaryDataService);
	await service.init();
	const location = { type: 'execution' as const, workflowId: 'w', executionId: 'e' };
	const file = { data: '', mimeType, fileName: 'a.pdf' };
	return { json: {}, binary: { data: await service.store(location, Buffer.from(text), file) } };
}

const countOf =
	(name: RecordTypeName, isDone: (record: StoredRecord) => boolean = () => true) =>
	({ service }: NodeFixture) =>
		[...service.records.of(name).values()].filter(isDone).length;

const messages = ({ service }: NodeFixture) => service.messagesTo(ALEX.email);

/** What no rule gives for an operation. */
export const CASES: Record<string, OperationCase> = {
	'receipt generate': {
		input: async (node) => [
			{ userId: byId('={{ $json.id }}'), binaryPropertyName: 'data', options: {} },
			await recordsOf(node, 'user'),
		],
	},
	'invite send': {
		input: async () => [ALEX],
		write: { count: messages, what: 'the invite was sent', check: 'Invite: Get Many' },
	},
	'invite resend': {
		input: sentInvite,
		write: { count: messages, what: 'the invite was sent again', check: 'Invite: Get' },
	},
	'invite revoke': {
		input: sentInvite,
		write: {
			count: ({ service }) => [...service.invites.values()].filter(({ status }) => status === 'revoked').length,
			...{ what: 'the invite was revoked', check: 'Invite: Get' },
		},
	},
	'invite get': { input: sentInvite },
	'invite getAll': {
		async input(node) {
			await sentInvite(node);
			return [{ returnAll: true, filters: {} }];
		},
	},
	'session createLink': {
		input: async (node) => [{ verificationId: await orderedVerification(node), additionalFields: {} }],
	},
	'session sendInvite': {
		async input(node) {
			await orderedVerification(node);
			Object.assign(node.service.users.get(node.userId(1)) ?? {}, { first_name: 'Alex', last_name: 'Sample' });
			const { sendBy, email, phoneNumber } = ALEX;
			const { templateId, employers } = ALEX.additionalFields;
			const additionalFields = { templateId, employers, replyTo: 'team@example.com' };
			return [{ userId: byId(node.userId(1)), sendBy, email, phoneNumber, additionalFields }];
		},
		write: { count: messages, what: 'the invite was sent', check: 'Invite: Get Many' },
	},
	'event getRecords': {
		async input(node) {
			const [paystub] = await recordsOf(node, 'paystub');
			const data = { account: paystub?.json.account };
			return [{ returnAll: true }, [{ json: { event: 'paystubs.added', name: 'Paystubs', data } }]];
		},
	},
	'user create': {
		input: userWithMetadata,
		write: {
			...{ count: ({ service }) => service.users.size, output: { external_id: BOB.externalId } },
			...{ what: 'the user was created', check: 'User: Get Many' },
		},
	},
	'user update': { input: userWithMetadata },
	'user upsert': { input: userWithMetadata },
	'user delete': { input: lastOf('user') },
	'account disableRefresh': {
		write: {
			count: countOf('accounts', (account) => JSON.stringify(account.ongoing_refresh).includes('disabled')),
			...{ isKind: true, hasAnswer: false, addsUp: false, output: { success: true } },
			...{ what: 'the refresh of account {id} was disabled', check: 'Account: Get' },
		},
	},
	'account delete': { input: lastOf('account') },
	'account simulateNewData': {
		async input(node) {
			if (!node.service.isSandbox) await node.start({ environment: 'sandbox' });
			return [{ accountId: byId('={{ $json.id }}') }, await recordsOf(node, 'account')];
		},
		write: {
			...{ isKind: true, count: countOf('paystubs'), isFound: false, hasAnswer: false, output: { success: true } },
			...{ what: 'account {id} got new data', check: 'Paystub: Get Many' },
		},
	},
	'userUpload upload': {
		input: async (node) => [
			{ userId: byId(node.userId()), documentType: 'paystubs', binaryPropertyName: 'data' },
			[await fileItem('%PDF-1.7', 'application/pdf')],
		],
		write: {
			...{ isKind: true, count: countOf('user-uploads'), output: { file_name: 'a.pdf' } },
			...{ what: 'a.pdf was uploaded', check: 'User Upload: Get Many' },
		},
	},
	'report generate': {
		async input(node) {
			const [account] = node.service.accounts.values();
			return [{ reportType: 'voie', userId: byId(String(account?.user)), additionalFields: {} }];
		},
		write: {
			...{ isKind: true, count: countOf('reports'), output: { status: 'generating' } },
			...{ what: 'the report is being generated', check: 'Report: Get Many' },
		},
	},
	'verification order': {
		input: async (node) => [orderOf(node)],
		write: {
			count: countOf('verifications'),
			...{ what: 'the verification was ordered', check: 'Verification: Get Many' },
		},
	},
	'verification refresh': {
		input: async (node) => [orderOf(node)],
		write: {
			count: countOf('verifications'),
			...{ what: 'the verification was refreshed', check: 'Verification: Get Many' },
		},
	},
	'verification update': {
		input: async (node) => [{ verificationId: await orderedVerification(node), updateFields: { loanNumber: '4712' } }],
		write: {
			...{ isKind: true, method: 'PATCH', addsUp: false },
			count: countOf('verifications', ({ loan }) => JSON.stringify(loan ?? '').includes('"number":"4712"')),
			...{ what: 'the verification was updated', check: 'Verification: Get' },
		},
	},
	'verification cancel': {
		async input(node) {
			const verificationId = await orderedVerification(node);
			const record = node.service.records.of('verifications').get(verificationId.value);
			Object.assign(record ?? {}, { status: { state: 'PAUSED', code: 'syncing_error', errors: [] } });
			return [{ verificationId }];
		},
		write: {
			count: countOf('verifications', ({ status }) => JSON.stringify(status).includes('CANCELLED')),
			...{ what: 'the verification was cancelled', check: 'Verification: Get' },
		},
	},
	'verification download': {
		async input(node) {
			const [completed] = node.service.addRecords('verifications', 1, verificationProgress('report-1'));
			return [{ verificationId: completed?.id, format: 'pdf', binaryPropertyName: 'data' }];
		},
	},
	'employer search': { input: async () => [{ searchText: 'whole', returnAll: true, filters: {} }] },
	'employer get': { input: async () => [{ employerId: byId('item_000001422') }] },
	'webhook create': {
		async input() {
			const events = ['user_forms.submitted'];
			return [{ name: 'Forms', url: 'https://example.com/argyle', events, additionalFields: {}, options: {} }];
		},
		write: {
			count: ({ service }) => service.subscriptions.size,
			...{ what: 'the webhook subscription was created', check: 'Webhook Subscription: Get Many' },
		},
	},
	'webhook verify': {
		async input() {
			const ids = { account: 'an account', user: 'a user', user_form: 'a form' };
			const body = eventBody('user_forms.submitted', 'Forms', ids);
			const parameters = { binaryPropertyName: 'data', signature: sign(body, 'secret'), secret: 'secret' };
			return [parameters, [await fileItem(body, 'application/json')]];
		},
	},
};

export async function inputOf(node: NodeFixture, resource: string, operation: string): Promise<Input> {
	const { input } = CASES[`${resource} ${operation}`] ?? {};
	if (input !== undefined) return await input(node);
	if (operation === 'getAll') return [{ returnAll: true, filters: {} }];
	return [
		{ [`${resource}Id`]: byId('={{ $json.id }}'), binaryPropertyName: 'data', format: 'pdf' },
		await recordsOf(node, resource),
	];
}
