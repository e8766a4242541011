import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const HIRED = { employer: 'Whole Goods', hireDate: '2020-04-08' };

async function ordered(employment: object, input: object = {}): Promise<unknown> {
	const employments = { employment: [{ ...HIRED, ...employment }] };
	await node.run(
		{
			...{ resource: 'verification', operation: 'order', reportType: 'doc-voi-mortgage' },
			...{ userId: byId(node.userId()), employments, additionalFields: {} },
		},
		{ items: [{ json: { ...input } }] },
	);
	return node.service.requests[0]?.body;
}

const MAPPED = { status: '={{ $json.employment_status }}', terminationDate: '={{ $json.terminated_on }}' };

const sent = (employment: object) => ({
	employments: [{ employer: 'Whole Goods', hire_date: '2020-04-08', ...employment }],
});

describe('the Status of an employment that a verification is ordered with', () => {
	it.each(['terminated', 'inactive', 'previous', 'Previous', ' TERMINATED '])(
		'is previous where an expression gives "%s"',
		async (status) => {
			const body = await ordered(MAPPED, { employment_status: status, terminated_on: '2024-03-31' });
			expect(body).toMatchObject(sent({ status: 'previous', termination_date: '2024-03-31' }));
		},
	);

	it.each(['active', 'ACTIVE', '"active"'])('is active where an expression gives %s', async (status) => {
		const body = await ordered(MAPPED, { employment_status: status, terminated_on: null });
		expect(body).toMatchObject(sent({ status: 'active', termination_date: null }));
	});

	it('is active where a person left it as it was, which n8n does not save', async () => {
		expect(await ordered({})).toMatchObject(sent({ status: 'active', termination_date: null }));
	});
});

it.each<[string, object, object, string, string]>([
	['whose status is empty', MAPPED, {}, 'Status is missing', 'active, previous, inactive, terminated'],
	[
		'whose status is none that is known',
		MAPPED,
		{ employment_status: 'on leave' },
		'Status can\'t be "on leave"',
		'active, previous, inactive, terminated',
	],
	[
		'that is active and has ended',
		MAPPED,
		{ employment_status: 'active', terminated_on: '2024-03-31' },
		'The employment at Whole Goods is active, and has a Termination Date',
		'Set its Status to previous',
	],
	[
		'that has ended without a last day',
		MAPPED,
		{ employment_status: 'inactive', terminated_on: ' ' },
		'Termination Date is missing',
		'the last day at Whole Goods, or set Status to active if the person is on leave',
	],
	[
		'that has ended before it began',
		MAPPED,
		{ employment_status: 'terminated', terminated_on: '2001-03-31' },
		'Hire Date is later than Termination Date',
		'exchange the two dates',
	],
	['without a first day', { hireDate: '' }, {}, 'Hire Date is missing', 'the first day at Whole Goods'],
])('an employment %s is refused before anything is sent', async (_, employment, input, message, advice) => {
	const error = await failure(ordered(employment, input));
	expect(error.message).toBe(`${message} [item 0]`);
	expect(error.description).toContain(advice);
	expect(error.description).toContain('Nothing was sent to Argyle.');
	expect(node.service.requests).toHaveLength(0);
});

it('an update sends the employments in the same way', async () => {
	const [verification] = node.service.addRecords('verifications', 1, {
		...{ status: { state: 'PAUSED', code: 'more_data_required', errors: [] }, data_source: 'documents' },
	});
	const employment = [{ ...HIRED, status: 'previous', terminationDate: '={{ $json.gone }}' }];
	await node.run(
		{
			...{ resource: 'verification', operation: 'update', verificationId: byId(verification?.id ?? '') },
			updateFields: { employments: { employment } },
		},
		{ items: [{ json: { gone: '2024-03-31' } }] },
	);
	expect(node.service.requests[0]?.body).toEqual(sent({ status: 'previous', termination_date: '2024-03-31' }));
});
