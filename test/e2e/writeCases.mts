import { byId, FILE, fileOf, type Known, type OperationCase } from './operationCase.mts';

const USER = { first_name: 'Alex', last_name: 'Sample', external_id: 'crm-7' };

function inviteCases({ user, invites, verification }: Known): OperationCase[] {
	const address = { sendBy: 'both', email: 'alex@example.com', phoneNumber: '+12125550123' };
	const sentAddress = { email: 'alex@example.com', phone_number: '+12125550123' };
	return [
		{
			...{ resource: 'invite', operation: 'send' },
			entered: {
				...{ firstName: 'Alex', lastName: '={{ "Sample" }}', ...address },
				additionalFields: { externalId: 'crm-7', employers: ['item_000001422'], notify: 'team@example.com' },
			},
			sent: [
				[
					'POST /v2/invites',
					{
						...{ ...USER, ...sentAddress, flow_items: ['item_000001422'] },
						override_invite_template: { email: { reply_to: ['team@example.com'] } },
					},
				],
			],
			output: { email: 'alex@example.com', status: 'sent', has_user_token: true },
		},
		{
			...{ resource: 'invite', operation: 'resend', entered: { inviteId: byId(invites.resent) } },
			...{ sent: [[`POST /v2/invites/${invites.resent}`]], output: { id: invites.resent, status: 'sent' } },
		},
		{
			...{ resource: 'invite', operation: 'revoke', entered: { inviteId: byId(invites.revoked) } },
			...{ sent: [[`POST /v2/invites/${invites.revoked}/revoke`]], output: { id: invites.revoked, status: 'revoked' } },
		},
		{
			...{ resource: 'session', operation: 'createLink' },
			entered: { verificationId: byId(verification), additionalFields: { language: 'ES' } },
			sent: [['POST /v2/sessions', { verification, type: 'embedded', configuration: { language: 'ES' } }]],
			output: { verification, link: expect.stringMatching(/^https:\/\/connect\.argyle\.com\//) },
		},
		{
			...{ resource: 'session', operation: 'sendInvite' },
			entered: { userId: byId(user), ...address, additionalFields: { replyTo: 'team@example.com' } },
			sent: [
				[
					'POST /v2/sessions',
					{ type: 'invite', user, configuration: { ...sentAddress, reply_to: 'team@example.com' } },
				],
			],
			output: { user, link: expect.stringMatching(/^https:/) },
		},
	];
}

function verificationCases({ user, verification, pausedVerification }: Known): OperationCase[] {
	return [
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
			...{ resource: 'verification', operation: 'refresh' },
			entered: { userId: byId(user), reportType: 'voe', additionalFields: {} },
			sent: [['POST /v2/verifications/refresh', { user, report: { type: 'voe' } }]],
			output: { user },
		},
		{
			...{ resource: 'verification', operation: 'update' },
			entered: { verificationId: byId(verification), updateFields: { loanNumber: '4712' } },
			sent: [[`PATCH /v2/verifications/${verification}`, { loan: { number: '4712' } }]],
			output: { id: verification, loan: expect.objectContaining({ number: '4712' }) },
		},
		{
			...{ resource: 'verification', operation: 'cancel', entered: { verificationId: byId(pausedVerification) } },
			sent: [[`POST /v2/verifications/${pausedVerification}/cancel`]],
			output: { id: pausedVerification, status: expect.objectContaining({ state: 'CANCELLED' }) },
		},
	];
}

function userCases({ user, account }: Known): OperationCase[] {
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
			...{ resource: 'account', operation: 'disableRefresh', entered: { accountId: byId(account) } },
			...{ sent: [[`POST /v2/accounts/${account}/disable-ongoing-refresh`]], output: { success: true, id: account } },
		},
		{
			...{ resource: 'webhook', operation: 'create' },
			entered: {
				...{ name: 'By hand', url: 'https://example.com/new', events: ['user_forms.submitted'] },
				...{ additionalFields: { secret: 'my own secret' }, options: {} },
			},
			sent: [
				[
					'POST /v2/webhooks',
					{
						...{ name: 'By hand', url: 'https://example.com/new', events: ['user_forms.submitted'] },
						secret: 'my own secret',
					},
				],
			],
			output: { name: 'By hand', has_secret: true },
		},
	];
}

function erasingCases({ erased }: Known): OperationCase[] {
	const { user, account, report, subscription } = erased;
	const deletes = (resource: string, path: string, id: string, entered: object): OperationCase => ({
		...{ resource, operation: 'delete', entered: { ...entered } },
		...{ sent: [[`DELETE /v2/${path}/${id}`]], output: { deleted: true, id } },
	});
	return [
		deletes('report', 'reports', report, { reportId: report }),
		deletes('account', 'accounts', account, { accountId: byId(account), confirmDeletion: true }),
		deletes('user', 'users', user, { userId: byId(user), confirmDeletion: '={{ true }}' }),
		deletes('webhook', 'webhooks', subscription, { webhookId: byId(subscription) }),
	];
}

/** All operations that change something at Argyle. */
export const writeCases = (known: Known): OperationCase[] => [
	...userCases(known),
	...inviteCases(known),
	...verificationCases(known),
	...erasingCases(known),
];
