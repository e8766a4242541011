import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { argyleNode, type CredentialRef, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';

interface WriteTools {
	run(name: string, nodes: SavedNode[]): Promise<FullExecution>;
	connect(): Promise<{ argyle: FakeArgyle; credential: CredentialRef }>;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** One operation: what is entered, what Argyle is sent for it, and what comes out. */
interface Write {
	name: string;
	parameters: Record<string, unknown>;
	sent: { method: string; path: string | RegExp; body?: unknown };
	output: object;
}

const USER = { first_name: 'Alex', last_name: 'Sample', external_id: 'crm-7' };

function writes({ user, account }: { user: string; account: string }): Write[] {
	const created = "={{ $('Create').first().json.id }}";
	return [
		{
			name: 'Search',
			parameters: { resource: 'employer', operation: 'search', searchText: 'Whole Goods', returnAll: false, limit: 1 },
			sent: { method: 'GET', path: '/v2/employer-search' },
			output: { id: 'item_000001422', name: 'Whole Goods' },
		},
		{
			name: 'Create',
			parameters: {
				...{ resource: 'user', operation: 'create' },
				additionalFields: {
					...{ firstName: 'Alex', lastName: '={{ "Sample" }}', externalId: 'crm-7', birthDate: '1980-10-30' },
					...{ ssn: '000-00-0000', metadata: '{"stage": 1}', phoneNumber: '' },
					address: { value: { line1: '1 Example Way', city: '={{ "New York" }}', country: 'US' } },
				},
			},
			sent: {
				...{ method: 'POST', path: '/v2/users' },
				body: {
					...{ ...USER, ssn: '000-00-0000', birth_date: { year: 1980, month: 10, day: 30 } },
					address: { line1: '1 Example Way', city: 'New York', country: 'US' },
					external_metadata: { stage: 1 },
				},
			},
			output: { ...USER, ssn: '•••', birth_date: '•••' },
		},
		{
			name: 'Update',
			parameters: {
				...{ resource: 'user', operation: 'update', userId: byId(created) },
				updateFields: { email: 'alex@example.com', firstName: '={{ $json.nothing }}' },
			},
			sent: { method: 'PATCH', path: /^\/v2\/users\//, body: { email: 'alex@example.com' } },
			output: { ...USER, email: 'alex@example.com' },
		},
		{
			name: 'Generate',
			parameters: {
				...{ resource: 'report', operation: 'generate', reportType: 'voie', userId: byId(user) },
				additionalFields: { metadata: '={{ { loan: 7 } }}' },
			},
			sent: { method: 'POST', path: '/v2/reports/voie', body: { user, metadata: { loan: 7 } } },
			output: { user, type: 'voie', status: 'generating' },
		},
		{
			name: 'Delete Report',
			parameters: { resource: 'report', operation: 'delete', reportId: "={{ $('Generate').first().json.id }}" },
			sent: { method: 'DELETE', path: /^\/v2\/reports\// },
			output: { deleted: true },
		},
		{
			name: 'Upload',
			parameters: {
				...{ resource: 'userUpload', operation: 'upload', userId: byId(user), documentType: 'W-2' },
				binaryPropertyName: "={{ $('To File').first().binary.data }}",
			},
			sent: {
				...{ method: 'POST', path: '/v2/user-uploads' },
				body: { user, document_type: 'W-2', upload: expect.objectContaining({ name: 'w-2.txt', size: 11 }) },
			},
			output: { document_type: 'W-2', file_name: 'w-2.txt' },
		},
		{
			name: 'Disable Refresh',
			parameters: { resource: 'account', operation: 'disableRefresh', accountId: byId(account) },
			sent: { method: 'POST', path: `/v2/accounts/${account}/disable-ongoing-refresh` },
			output: { success: true, id: account },
		},
		{
			name: 'Simulate',
			parameters: { resource: 'account', operation: 'simulateNewData', accountId: byId(account) },
			sent: { method: 'POST', path: `/v2/accounts/${account}/periodic-scan` },
			output: { success: true, id: account },
		},
		{
			name: 'Delete Account',
			parameters: { resource: 'account', operation: 'delete', accountId: byId(account), confirmDeletion: true },
			sent: { method: 'DELETE', path: `/v2/accounts/${account}` },
			output: { deleted: true, id: account },
		},
		{
			name: 'Delete User',
			parameters: { resource: 'user', operation: 'delete', userId: byId(user), confirmDeletion: '={{ true }}' },
			sent: { method: 'DELETE', path: `/v2/users/${user}` },
			output: { deleted: true, id: user },
		},
	];
}

/** Every operation that writes a record, in one workflow of a real n8n. */
export function writeTests({ run, connect }: WriteTools): void {
	it('searches, creates, updates, generates, uploads and deletes: what was entered is sent, and nothing else', async () => {
		const { argyle, credential } = await connect();
		const [account] = argyle.accounts.values();
		const all = writes({ user: String(account?.user), account: String(account?.id) });
		const text = n8nNode('Text', 'set', { mode: 'raw', jsonOutput: '{"text": "a test file"}', options: {} }, 3.4);
		const toFile = { operation: 'toText', sourceProperty: 'text', options: { fileName: 'w-2.txt' } };
		const nodes = all.map(({ name, parameters }) => argyleNode(credential, parameters, { name }));
		const execution = await run('Writes', [text, n8nNode('To File', 'convertToFile', toFile, 1.1), ...nodes]);
		expect(execution).toMatchObject({ status: 'success' });
		expect(all.map(({ name }) => execution.output[name]?.[0]?.json)).toEqual(
			all.map(({ output }) => expect.objectContaining(output)),
		);
		// After Create, the record is asked for.
		const requests = argyle.requests.filter(({ method, path }) => method !== 'GET' || !path.startsWith('/v2/users/'));
		expect(requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual(
			all.map(({ sent: { method, path, body } }) => ({
				...{ method, body },
				path: typeof path === 'string' ? path : expect.stringMatching(path),
			})),
		);
	}, 60_000);
}
