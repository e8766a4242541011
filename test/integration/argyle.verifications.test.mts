import { SIDES } from '../support/fakeArgyle/assumed.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const run = async (operation: string, parameters: object) =>
	await node.run({ resource: 'verification', operation, ...parameters });

const order = async (more: object = {}) => {
	const parameters = { userId: byId(node.userId()), reportType: 'voie', additionalFields: {}, ...more };
	const [item] = await run('order', parameters);
	return String(item?.json.id);
};

const verification = (id: string) => {
	const record = node.service.records.of('verifications').get(id);
	if (record === undefined) throw new Error(`there is no verification ${id}`);
	return record;
};

const pause = (id: string) =>
	Object.assign(verification(id), { status: { state: 'PAUSED', code: 'connection_attempted', errors: [] } });

const employment = { employer: 'Whole Goods', status: 'active', hireDate: '2020-04-08T00:00:00' };

describe('Verification Order', () => {
	it.each<[string, object, object]>([
		['with nothing but the type', {}, { report: { type: 'voie' } }],
		[
			'without what is left of expressions that find nothing',
			{ additionalFields: { loanNumber: '=LOAN-{{ $json.loan }}', costCenter: "={{ 'center ' + $json.center }}" } },
			{ report: { type: 'voie' } },
		],
		[
			'for a loan',
			{
				additionalFields: {
					loanNumber: 4711,
					borrowerId: 'B1',
					applicationId: 'A1',
					officerEmail: 'officer@example.com',
					division: 'wholesale',
					costCenter: '5',
					notify: 'team@example.com,boss@example.com',
				},
			},
			{
				report: { type: 'voie' },
				loan: {
					number: '4711',
					borrower_id: 'B1',
					application_id: 'A1',
					officer_email: 'officer@example.com',
					division: 'wholesale',
				},
				billing: { cost_center: '5' },
				configuration: { notified_recipients: ['team@example.com', 'boss@example.com'] },
			},
		],
		[
			'from bank accounts',
			{
				reportType: 'voai',
				additionalFields: {
					bankAccounts: 'one, two',
					fromDate: '2026-01-01T00:00:00Z',
					incomeFromDate: '2026-02-01T00:00:00Z',
					incomeConfidence: 0,
					customFields: {
						field: [
							{ label: 'File Number', value: 4711 },
							{ label: 'Branch', shown: false },
						],
					},
				},
			},
			{
				report: {
					type: 'voai',
					configuration: {
						bank_accounts: ['one', 'two'],
						from_date: '2026-01-01T00:00:00.000Z',
						income_from_date: '2026-02-01T00:00:00.000Z',
						income_stream_confidence_minimum: 0,
						report_custom_fields: [
							{ label: 'File Number', value: '4711', shown: true },
							{ label: 'Branch', value: '', shown: false },
						],
					},
				},
			},
		],
		[
			'from bank accounts whose IDs a model puts in quotes',
			{ reportType: 'voa', additionalFields: { bankAccounts: '={{ \'"one", "two"\' }}' } },
			{ report: { type: 'voa', configuration: { bank_accounts: ['one', 'two'] } } },
		],
		[
			'for the government, which need not be certified',
			{ reportType: 'voie-government', additionalFields: { selfCertification: false } },
			{ report: { type: 'voie-government', self_certification: false } },
		],
		[
			'from documents',
			{
				reportType: 'doc-voi-mortgage',
				employments: {
					employment: [
						employment,
						{ employer: 'GigAndGo', status: 'previous', hireDate: '2019-01-01', terminationDate: '2020-03-31' },
					],
				},
			},
			{
				report: { type: 'doc-voi-mortgage' },
				employments: [
					{ employer: 'Whole Goods', status: 'active', hire_date: '2020-04-08', termination_date: null },
					{ employer: 'GigAndGo', status: 'previous', hire_date: '2019-01-01', termination_date: '2020-03-31' },
				],
			},
		],
		[
			'without what is empty',
			{ additionalFields: { loanNumber: '', costCenter: '={{ $json.none }}', notify: '' } },
			{ report: { type: 'voie' } },
		],
		[
			'from payroll, with an empty cell for bank accounts',
			{ reportType: '={{ "voie" }}', additionalFields: { bankAccounts: '={{ "" }}' } },
			{ report: { type: 'voie' } },
		],
		[
			'for a division as a table has it',
			{ additionalFields: { division: '={{ "Wholesale " }}' } },
			{ report: { type: 'voie' }, loan: { division: 'wholesale' } },
		],
		[
			'from bank accounts, with an empty field',
			{ reportType: 'voa', additionalFields: { bankAccounts: '' } },
			{ report: { type: 'voa' } },
		],
	])('Verification Order %s sends exactly what was entered', async (_, parameters, body) => {
		const user = node.userId();
		const more = { userId: byId(user), reportType: 'voie', additionalFields: {}, ...parameters };
		const [item] = await run('order', more);
		expect(node.writes()).toEqual([{ method: 'POST', path: '/v2/verifications', body: { user, ...body } }]);
		expect(item?.json).toMatchObject({ user, status: { state: 'PENDING' }, id: expect.any(String) });
	});

	it.each<[object, string]>([
		[{ reportType: '={{ "voie-mortgage" }}' }, 'There is no report type "voie-mortgage"'],
		[{ reportType: 'doc-voi-mortgage' }, 'Employments is empty'],
		[{ reportType: 'doc-voi-mortgage', employments: { employment: [{ employer: '' }] } }, 'Employer is missing'],
		[
			{ reportType: 'doc-voi-mortgage', employments: { employment: [{ employer: 'X', hireDate: 'soon' }] } },
			'Hire Date is not a date',
		],
		[{ reportType: '={{ "voe" }}', additionalFields: { selfCertification: true } }, 'Self-Certification is not for'],
		[{ reportType: '={{ "voie" }}', additionalFields: { bankAccounts: 'one' } }, 'Bank Account IDs is not for'],
		[{ reportType: 'voa', additionalFields: { bankAccounts: '={{ "" }}' } }, 'Bank Account IDs has no value'],
		[{ reportType: 'voa', additionalFields: { customFields: { field: [{ value: 'x' }] } } }, 'Label is missing'],
		[
			{ reportType: 'voa', additionalFields: { customFields: { field: Array(6).fill({ label: 'x' }) } } },
			'There are 6 Custom Fields',
		],
		[
			{ reportType: '={{ "voie" }}', additionalFields: { customFields: { field: [{ label: 'x' }] } } },
			'Custom Fields is not for',
		],
		[{ additionalFields: { division: '={{ "whole sale" }}' } }, 'Division can\'t be "whole sale"'],
		[{ reportType: 'voi', additionalFields: { incomeConfidence: 101 } }, 'is not a whole number from 0 to 100'],
	])('Verification Order with %j is refused before anything is sent', async (parameters, message) => {
		const error = await failure(order(parameters));
		expect(error.message).toContain(message);
		expect(error.description).toContain('Nothing was sent to Argyle.');
		expect(node.service.requests).toHaveLength(0);
	});

	it('Verification Order for the government passes a loan on, and what Argyle says of it', async () => {
		const ofLoan = { reportType: 'voie-government', additionalFields: { loanNumber: '4711' } };
		expect(verification(await order(ofLoan))).toMatchObject({ loan: { number: '4711' } });
		node.service.assumed.loanOfGovernment = '400';
		expect((await failure(order(ofLoan))).description).toContain('Argyle says: loan: Not for voie-government.');
	});
});

describe.each(SIDES)('what is done with a verification, Argyle %s', (_, assumed) => {
	beforeEach(() => Object.assign(node.service.assumed, assumed));

	it('Verification Cancel withdraws one that is paused', async () => {
		const id = await order();
		pause(id);
		const [item] = await run('cancel', { verificationId: byId(id) });
		expect(node.writes()[1]).toEqual({ method: 'POST', path: `/v2/verifications/${id}/cancel`, body: undefined });
		expect(item?.json).toMatchObject({ id, status: { state: 'CANCELLED', code: 'cancelled_by_client' } });
	});

	it('Verification Update sends what was entered, and no other field', async () => {
		const id = await order({ additionalFields: { borrowerId: 'B1' } });
		const [item] = await run('update', { verificationId: byId(id), updateFields: { loanNumber: '4712' } });
		expect(node.writes()[1]).toEqual({
			...{ method: 'PATCH', path: `/v2/verifications/${id}` },
			body: { loan: { number: '4712' } },
		});
		expect(item?.json).toMatchObject({ id, loan: { number: '4712', borrower_id: 'B1' } });
	});

	it('Verification Refresh orders another one from what is connected', async () => {
		const user = node.userId(1);
		const parameters = { userId: byId(user), reportType: 'voe', additionalFields: { loanNumber: '4711' } };
		const [item] = await run('refresh', parameters);
		const body = { user, report: { type: 'voe' }, loan: { number: '4711' } };
		expect(node.writes()).toEqual([{ method: 'POST', path: '/v2/verifications/refresh', body }]);
		expect(item?.json).toMatchObject({ user, status: { state: 'PROCESSING' } });
	});
});

it.each<[string, object, string]>([
	['update', { verificationId: byId('1600a35a-0999-40d8-b6f6-75cc81e74ef5'), updateFields: {} }, 'nothing to update'],
	[
		'update',
		{ verificationId: byId('1600a35a-0999-40d8-b6f6-75cc81e74ef5'), updateFields: { officerEmail: 'not an email' } },
		'Officer Email is not an e-mail address',
	],
])('Verification %s with %j is refused before anything is sent', async (operation, parameters, message) => {
	expect(await node.refusalOf(run(operation, parameters))).toContain(message);
});

it('Verification Refresh for the government is refused, because Argyle has none', async () => {
	const refresh = { userId: byId(node.userId()), reportType: '={{ "voie-government" }}', additionalFields: {} };
	expect((await failure(run('refresh', refresh))).message).toContain("can't be refreshed");
});

it('the list of verifications shows person, type, state, loan and time, and finds by them and by ID', async () => {
	const id = await order({ additionalFields: { loanNumber: 'LOAN-4711' } });
	const { results } = await node.search('searchVerifications', 'loan-47');
	expect(results).toEqual([
		{
			name: expect.stringMatching(
				/^Bob Jones · Income and Employment \(VOIE\) · PENDING · LOAN-4711 · \d{4}-\d\d-\d\d \d\d:\d\d$/,
			),
			value: id,
		},
	]);
	expect((await node.search('searchVerifications', id)).results.map(({ value }) => value)).toEqual([id]);
	expect((await node.search('searchVerifications', 'pending')).results.length).toBeGreaterThan(0);
});

describe('Session', () => {
	const session = async (operation: string, parameters: object) =>
		await node.run({ resource: 'session', operation, ...parameters });

	it('Session Create Link makes a link for a verification, and writes to nobody', async () => {
		const id = await order();
		const additionalFields = {
			...{ redirectUrl: 'https://example.com/thanks', templateId: '8ABCD1EF', language: 'es', mobileApp: true },
			employers: ['item_000000001'],
		};
		const [item] = await session('createLink', { verificationId: byId(id), additionalFields });
		expect(node.writes()[1]).toEqual({
			...{ method: 'POST', path: '/v2/sessions' },
			body: {
				verification: id,
				type: 'embedded',
				configuration: {
					...{ redirect_url: 'https://example.com/thanks', flow_id: '8ABCD1EF', language: 'ES' },
					...{ items: ['item_000000001'], mobile_app: true },
				},
			},
		});
		expect(item?.json).toMatchObject({ verification: id, link: expect.stringMatching(/^https:/) });
		expect(node.service.messages).toHaveLength(0);
	});

	it.each([
		['Spanish', 'ES'],
		[' zh ', 'ZH'],
		['', undefined],
	])('Session Create Link with the language %j of an expression asks for %s', async (given, language) => {
		const id = await order();
		const additionalFields = { language: `={{ ${JSON.stringify(given)} }}` };
		await session('createLink', { verificationId: byId(id), additionalFields });
		expect(node.writes()[1]?.body).toMatchObject({ configuration: language === undefined ? {} : { language } });
	});

	it.each<[string, object, string]>([
		['createLink', { additionalFields: { redirectUrl: 'example.com' } }, 'Redirect URL is not a complete address'],
		['createLink', { additionalFields: { language: '={{ "French" }}' } }, 'Language can\'t be "French"'],
		['sendInvite', { additionalFields: { replyTo: 'the team' } }, 'Reply To is not an e-mail address'],
		['sendInvite', { sendBy: 'both', phoneNumber: '' }, 'Phone Number is missing'],
	])('Session %s with %j is refused before anything is sent', async (operation, parameters, message) => {
		const id = byId('1600a35a-0999-40d8-b6f6-75cc81e74ef5');
		const recipient = { userId: id, verificationId: id, sendBy: 'email', email: 'bob.jones@example.com' };
		expect(await node.refusalOf(session(operation, { ...recipient, additionalFields: {}, ...parameters }))).toContain(
			message,
		);
	});

	it('Session Send Invite writes to the user of a verification, and is found among the invites', async () => {
		await order();
		const user = node.userId();
		const [item] = await session('sendInvite', {
			...{ userId: byId(user), sendBy: 'both', email: 'bob.jones@example.com', phoneNumber: '+12125550123' },
			additionalFields: { replyTo: 'team@example.com', employers: ['item_000000001'], templateId: '8ABCD1EF' },
		});
		expect(node.writes()[1]).toEqual({
			...{ method: 'POST', path: '/v2/sessions' },
			body: {
				...{ type: 'invite', user },
				configuration: {
					...{ email: 'bob.jones@example.com', phone_number: '+12125550123', flow_id: '8ABCD1EF' },
					...{ items: ['item_000000001'], reply_to: 'team@example.com' },
				},
			},
		});
		expect(item?.json).toMatchObject({ user, type: 'invite', invite: { status: 'sent' } });
		expect(node.service.messages.map(({ to }) => to)).toEqual(['bob.jones@example.com', '+12125550123']);
		const [invite] = await node.run({ resource: 'invite', operation: 'get', inviteId: byId(String(item?.json.id)) });
		expect(invite?.json).toMatchObject({ user });
	});
});
