import { randomUUID } from 'node:crypto';
import type { FakeArgyle, StoredRecord } from '../support/fakeArgyle/index.mts';
import { storeInvite } from '../support/fakeArgyle/invites.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { n8nNode, type SavedNode } from '../support/n8n/nodes.mts';

/** What Argyle is sent; the path with its query. */
export type Sent = [request: string, body?: unknown];

/** One operation: what is entered, all that Argyle is sent for it, and the first item that comes out. */
export interface OperationCase {
	resource: string;
	operation: string;
	entered: Record<string, unknown>;
	sent: Sent[];
	output: object;
}

/** The IDs of what operations work on. What is erased or withdrawn is a record of its own. */
export interface Known {
	user: string;
	account: string;
	verification: string;
	revoked: string;
	erased: string;
}

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

function must(record: StoredRecord | undefined): StoredRecord {
	if (record === undefined) throw new Error('The fake Argyle lacks a record');
	return record;
}

/** Stores what the operations work on. */
export function prepare(argyle: FakeArgyle): Known {
	const joe = must([...argyle.users.values()][2]);
	const user = joe.id;
	const erased = randomUUID();
	argyle.users.set(erased, { ...joe, id: erased, external_id: 'crm-9' });
	const status = { state: 'PENDING', errors: [] };
	const known = {
		user,
		account: must([...argyle.accounts.values()].find((each) => each.user === user)).id,
		verification: must(argyle.addRecords('verifications', 1, { user, status })[0]).id,
		revoked: storeInvite(argyle, user, { email: 'joe@example.com', first_name: 'Joe', last_name: 'Burnam' }).id,
		erased,
	};
	argyle.messages.length = 0;
	return known;
}

const DELIVERY_SECRET = 'my own secret';

const delivery = (data: Record<string, unknown>) => eventBody('user_forms.submitted', 'My own', data);

const signatureOf = (data: Record<string, unknown>) => sign(delivery(data), DELIVERY_SECRET);

/** The IDs in the delivery that is verified. */
const deliveredIn = ({ account, user }: Known) => ({ account, user, user_form: account });

const FILE = { name: 'w-2.pdf', size: 11 };

/** A file as n8n keeps it, by expression, so that it can be given to a tool as well. */
const fileOf = (name: string) => `={{ $('Input').first().binary.${name} }}`;

/** A node whose item is the event of a new account, with a file to upload and the bytes of a delivery. */
export function inputNode(known: Known): SavedNode {
	const { account, user } = known;
	const json = { event: 'accounts.added', name: 'My own', data: { account, user } };
	const file = (text: string, fileName: string) => {
		return { data: Buffer.from(text).toString('base64'), mimeType: 'text/plain', fileName };
	};
	const binary = {
		document: file('a test file', FILE.name),
		delivery: file(delivery(deliveredIn(known)), 'delivery.json'),
	};
	return n8nNode('Input', 'code', { jsCode: `return [${JSON.stringify({ json, binary })}];` }, 2);
}

const USER = { first_name: 'Alex', last_name: 'Sample', external_id: 'crm-7' };

function readingCases(argyle: FakeArgyle, known: Known): OperationCase[] {
	const { user, account } = known;
	const delivered = deliveredIn(known);
	const [report = ''] = argyle.records.of('reports').keys();
	return [
		{
			...{ resource: 'account', operation: 'get', entered: { accountId: byId(account) } },
			...{ sent: [[`GET /v2/accounts/${account}`]], output: { id: account } },
		},
		{
			...{ resource: 'user', operation: 'getAll' },
			entered: { returnAll: false, limit: 1, filters: { externalId: 'crm-1001' } },
			...{ sent: [['GET /v2/users?external_id=crm-1001&limit=1']], output: { id: expect.any(String) } },
		},
		{
			...{ resource: 'report', operation: 'download' },
			entered: { reportId: byId(report), binaryPropertyName: 'data', format: 'json' },
			...{ sent: [[`GET /v2/reports/${report}`], [`GET /v2/reports/${report}/json`]], output: { id: report } },
		},
		{
			...{ resource: 'receipt', operation: 'generate' },
			entered: { userId: byId(user), binaryPropertyName: 'data', options: {} },
			...{ sent: [['POST /v2/receipts', { user }]], output: { user, mimeType: 'application/pdf' } },
		},
		{
			...{ resource: 'event', operation: 'getRecords', entered: { returnAll: true } },
			...{ sent: [[`GET /v2/accounts/${account}`]], output: { id: account } },
		},
		{
			...{ resource: 'employer', operation: 'search' },
			entered: { searchText: 'Whole Goods', returnAll: false, limit: 1, filters: { kind: ['employer'] } },
			sent: [['GET /v2/employer-search?q=Whole%20Goods&kind=employer&limit=1']],
			output: { id: 'item_000001422', name: 'Whole Goods' },
		},
		{
			...{ resource: 'webhook', operation: 'verify' },
			entered: {
				...{ rawBodyProperty: fileOf('delivery'), signature: signatureOf(delivered) },
				...{ webhookUrl: '', secret: DELIVERY_SECRET },
			},
			...{ sent: [], output: { event: 'user_forms.submitted', data: delivered, verified: true } },
		},
	];
}

function writingCases({ user, account, revoked, erased, verification }: Known): OperationCase[] {
	const address = { email: 'alex@example.com', phone_number: '+12125550123' };
	return [
		{
			...{ resource: 'user', operation: 'create' },
			entered: {
				additionalFields: {
					...{ firstName: 'Alex', lastName: '={{ "Sample" }}', externalId: 'crm-7', birthDate: '1980-10-30' },
					...{ ssn: '000-00-0000', metadata: '{"stage": 1}', phoneNumber: '' },
					address: { value: { line1: '1 Example Way', city: '={{ "New York" }}', country: 'US' } },
				},
			},
			sent: [
				[
					'POST /v2/users',
					{
						...{ ...USER, ssn: '000-00-0000', birth_date: { year: 1980, month: 10, day: 30 } },
						address: { line1: '1 Example Way', city: 'New York', country: 'US' },
						external_metadata: { stage: 1 },
					},
				],
				[expect.stringMatching(/^GET \/v2\/users\/[^/]+$/)],
			],
			output: { ...USER, ssn: '•••', birth_date: '•••' },
		},
		{
			...{ resource: 'user', operation: 'update' },
			entered: {
				...{ userId: byId(user), updateFields: { email: 'joe.b@example.com', firstName: '={{ $json.nothing }}' } },
			},
			sent: [[`PATCH /v2/users/${user}`, { email: 'joe.b@example.com' }]],
			output: { id: user, first_name: 'Joe', email: 'joe.b@example.com' },
		},
		{
			...{ resource: 'userUpload', operation: 'upload' },
			entered: { userId: byId(user), documentType: 'W-2', binaryPropertyName: fileOf('document') },
			sent: [['POST /v2/user-uploads', { user, document_type: 'W-2', upload: expect.objectContaining(FILE) }]],
			output: { document_type: 'W-2', file_name: FILE.name },
		},
		{
			...{ resource: 'report', operation: 'generate' },
			entered: { reportType: 'voie', userId: byId(user), additionalFields: { metadata: '={{ { loan: 7 } }}' } },
			sent: [['POST /v2/reports/voie', { user, metadata: { loan: 7 } }]],
			output: { user, type: 'voie', status: 'generating' },
		},
		{
			...{ resource: 'account', operation: 'simulateNewData', entered: { accountId: byId(account) } },
			...{ sent: [[`POST /v2/accounts/${account}/periodic-scan`]], output: { success: true, id: account } },
		},
		{
			...{ resource: 'invite', operation: 'send' },
			entered: {
				...{ firstName: 'Alex', lastName: '={{ "Sample" }}', sendBy: 'both' },
				...{ email: address.email, phoneNumber: address.phone_number },
				additionalFields: { externalId: 'crm-7', employers: ['item_000001422'] },
			},
			sent: [
				['GET /v2/invites?limit=200'],
				['POST /v2/invites', { ...USER, ...address, flow_items: ['item_000001422'] }],
			],
			output: { result: 'invited', email: address.email, status: 'sent', has_user_token: true },
		},
		{
			...{ resource: 'invite', operation: 'revoke', entered: { inviteId: byId(revoked) } },
			...{ sent: [[`POST /v2/invites/${revoked}/revoke`]], output: { id: revoked, status: 'revoked' } },
		},
		{
			...{ resource: 'session', operation: 'createLink' },
			entered: { verificationId: byId(verification), additionalFields: { language: 'ES' } },
			sent: [['POST /v2/sessions', { verification, type: 'embedded', configuration: { language: 'ES' } }]],
			output: { verification, link: expect.stringMatching(/^https:\/\/connect\.argyle\.com\//) },
		},
		{
			...{ resource: 'verification', operation: 'order' },
			entered: { userId: byId(user), reportType: 'voie', additionalFields: { loanNumber: 4711, costCenter: '5' } },
			sent: [
				[
					'POST /v2/verifications',
					{ user, report: { type: 'voie' }, loan: { number: '4711' }, billing: { cost_center: '5' } },
				],
			],
			output: { user, status: { state: 'PENDING', code: 'pending', errors: [] } },
		},
		{
			...{ resource: 'user', operation: 'delete' },
			entered: { userId: byId(erased), confirmDeletion: true },
			...{ sent: [[`DELETE /v2/users/${erased}`]], output: { deleted: true, id: erased } },
		},
	];
}

/** One of each kind of operation: n8n's contexts show of all what is sent and put out. */
export const operationCases = (argyle: FakeArgyle, known: Known): OperationCase[] => [
	...readingCases(argyle, known),
	...writingCases(known),
];
