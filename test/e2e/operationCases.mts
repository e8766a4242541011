import type { FakeArgyle, StoredRecord } from '../support/fakeArgyle/index.mts';
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

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

function must(record: StoredRecord | undefined): StoredRecord {
	if (record === undefined) throw new Error('The fake Argyle lacks a record');
	return record;
}

const FILE = { name: 'w-2.pdf', size: 11 };

/** A node with a file to upload. */
export function inputNode(): SavedNode {
	const document = { data: btoa('a test file'), mimeType: 'text/plain', fileName: FILE.name };
	return n8nNode('Input', 'code', { jsCode: `return [${JSON.stringify({ json: {}, binary: { document } })}];` }, 2);
}

const ALEX = { first_name: 'Alex', last_name: 'Sample', external_id: 'crm-7' };

/**
 * One of each kind of input, request and output that neither another test nor an example has in a real n8n. n8n's
 * contexts show of all operations what is sent and put out.
 */
export function operationCases(argyle: FakeArgyle): OperationCase[] {
	const user = must([...argyle.users.values()][2]).id;
	const account = must([...argyle.accounts.values()].find((each) => each.user === user)).id;
	const address = { email: 'alex@example.com', phone_number: '+12125550123' };
	return [
		{
			...{ resource: 'account', operation: 'get', entered: { accountId: byId(account) } },
			...{ sent: [[`GET /v2/accounts/${account}`]], output: { id: account } },
		},
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
				['GET /v2/users?external_id=crm-7&limit=200'],
				[
					'POST /v2/users',
					{
						...{ ...ALEX, ssn: '000-00-0000', birth_date: { year: 1980, month: 10, day: 30 } },
						address: { line1: '1 Example Way', city: 'New York', country: 'US' },
						external_metadata: { stage: 1 },
					},
				],
				[expect.stringMatching(/^GET \/v2\/users\/[^/]+$/)],
			],
			output: { ...ALEX, ssn: '•••', birth_date: '•••' },
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
			// By an expression, so that it can be given to a tool as well.
			entered: {
				userId: byId(user),
				documentType: 'W-2',
				binaryPropertyName: "={{ $('Input').first().binary.document }}",
			},
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
			...{ resource: 'invite', operation: 'send' },
			entered: {
				...{ firstName: 'Alex', lastName: '={{ "Sample" }}', sendBy: 'both' },
				...{ email: address.email, phoneNumber: address.phone_number },
				additionalFields: { externalId: 'crm-8', employers: ['item_000001422'] },
			},
			sent: [
				['GET /v2/users?external_id=crm-8&limit=200'],
				['GET /v2/invites?status=sent%2Cinitiated%2Cattempted%2Ccompleted&limit=200'],
				['POST /v2/invites', { ...ALEX, external_id: 'crm-8', ...address, flow_items: ['item_000001422'] }],
			],
			output: { result: 'invited', email: address.email, status: 'sent', has_user_token: true },
		},
	];
}
