import { randomUUID } from 'node:crypto';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { isRecordType, type RecordTypeName } from '../support/fakeArgyle/recordTypes.mts';
import { verificationProgress } from '../support/fakeArgyle/reportFiles.mts';
import {
	byId,
	DELIVERY_SECRET,
	deliveredIn,
	fileOf,
	type Known,
	type OperationCase,
	signatureOf,
} from './operationCase.mts';

/** Records by the resource that workflows name, and the last part of their path at Argyle. */
const PATHS: Record<string, RecordTypeName | 'user-forms' | 'users'> = {
	...{ user: 'users', userForm: 'user-forms', account: 'accounts', identity: 'identities', employment: 'employments' },
	...{ paystub: 'paystubs', gig: 'gigs', shift: 'shifts', payrollDocument: 'payroll-documents' },
	...{ userUpload: 'user-uploads', report: 'reports', verification: 'verifications' },
	...{ depositDestination: 'deposit-destinations', vehicle: 'vehicles', rating: 'ratings' },
};

/** Get and Get Many of one resource; Argyle has employments as a list only. */
function recordCases(argyle: FakeArgyle, known: Known, resource: string, name: string): OperationCase[] {
	const idOf = () => {
		if (name === 'users') return known.user;
		if (name === 'accounts') return known.account;
		const [id = ''] = (isRecordType(name) ? argyle.records.of(name) : argyle.userForms).keys();
		return id;
	};
	const id = idOf();
	const filters: object = name === 'users' ? { externalId: 'crm-1001' } : { user: byId(known.user) };
	const query = name === 'users' ? 'external_id=crm-1001' : `user=${known.user}`;
	const many = {
		...{ resource, operation: 'getAll', entered: { returnAll: false, limit: 1, filters } },
		sent: [[`GET /v2/${name}?${query}&limit=1`] as [string]],
		output: { id: expect.any(String) },
	};
	if (name === 'employments') return [many];
	const entered = { [`${resource}Id`]: ['user', 'userForm', 'account'].includes(resource) ? byId(id) : id };
	return [{ resource, operation: 'get', entered, sent: [[`GET /v2/${name}/${id}`]], output: { id } }, many];
}

/** A file: its record is asked for, then its bytes. */
function downloadCase(
	argyle: FakeArgyle,
	resource: string,
	name: RecordTypeName,
	entered: object,
	path: string,
): OperationCase {
	const [id = ''] = argyle.records.of(name).keys();
	return {
		...{ resource, operation: 'download', entered: { [`${resource}Id`]: id, binaryPropertyName: 'data', ...entered } },
		sent: [[`GET /v2/${name}/${id}`], [`GET /v2/${name}/${id}/${path}`]],
		output: { id },
	};
}

/** Its file is that of its report. */
function verificationDownload(argyle: FakeArgyle): OperationCase {
	const report = randomUUID();
	const [completed] = argyle.addRecords('verifications', 1, verificationProgress(report));
	const id = completed?.id ?? '';
	return {
		...{ resource: 'verification', operation: 'download' },
		entered: { verificationId: id, format: 'pdf', binaryPropertyName: 'data' },
		sent: [[`GET /v2/verifications/${id}`], [`GET /v2/reports/${report}/pdf`]],
		output: { id },
	};
}

/** All operations that change nothing at Argyle. */
export function readCases(argyle: FakeArgyle, known: Known): OperationCase[] {
	const { user, account, invite, subscription } = known;
	const delivered = deliveredIn(known);
	return [
		...Object.entries(PATHS).flatMap(([resource, name]) => recordCases(argyle, known, resource, name)),
		downloadCase(argyle, 'payrollDocument', 'payroll-documents', {}, 'file'),
		downloadCase(argyle, 'userUpload', 'user-uploads', {}, 'file'),
		downloadCase(argyle, 'report', 'reports', { format: 'json' }, 'json'),
		verificationDownload(argyle),
		{
			...{ resource: 'receipt', operation: 'generate' },
			entered: { userId: byId(user), binaryPropertyName: 'data', options: {} },
			sent: [['POST /v2/receipts', { user }]],
			output: { user, mimeType: 'application/pdf' },
		},
		{
			...{ resource: 'event', operation: 'getRecords', entered: { returnAll: true } },
			...{ sent: [[`GET /v2/accounts/${account}`]], output: { id: account } },
		},
		{
			...{ resource: 'invite', operation: 'get', entered: { inviteId: byId(invite) } },
			sent: [[`GET /v2/invites/${invite}`]],
			output: { id: invite, status: 'sent' },
		},
		{
			...{ resource: 'invite', operation: 'getAll' },
			entered: { returnAll: false, limit: 1, filters: { email: 'joe@example.com' } },
			sent: [['GET /v2/invites?limit=200']],
			output: { email: 'joe@example.com' },
		},
		{
			...{ resource: 'employer', operation: 'search' },
			entered: { searchText: 'Whole Goods', returnAll: false, limit: 1, filters: { kind: ['employer'] } },
			sent: [['GET /v2/employer-search?q=Whole%20Goods&kind=employer&limit=1']],
			output: { id: 'item_000001422', name: 'Whole Goods' },
		},
		{
			...{ resource: 'employer', operation: 'get', entered: { employerId: byId('item_000001422') } },
			sent: [['GET /v2/items/item_000001422']],
			output: { id: 'item_000001422', features: expect.objectContaining({ field_coverage: expect.anything() }) },
		},
		{
			...{ resource: 'webhook', operation: 'get', entered: { webhookId: byId(subscription), options: {} } },
			...{ sent: [[`GET /v2/webhooks/${subscription}`]], output: { id: subscription, has_secret: false } },
		},
		{
			...{
				resource: 'webhook',
				operation: 'getAll',
				entered: { returnAll: false, limit: 1, filters: {}, options: {} },
			},
			...{ sent: [['GET /v2/webhooks?limit=1']], output: { url: expect.stringMatching(/^https:/) } },
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
