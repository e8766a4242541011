import { MadeUp } from '../../../scripts/contract/madeUp.mts';

const USER = '01a10c60-2afa-269e-f2a7-4de452e6b438';

it('a recorded answer keeps the form of each value, and nothing of what it says', () => {
	const body = {
		id: USER,
		user: USER,
		created_at: '2026-10-05T14:03:11.482913Z',
		hire_date: '2020-04-08',
		first_name: 'Alex',
		email: 'alex@example.org',
		ssn: '522-09-1191',
		phone_number: '+1 (212) 555-0123',
		status: 'generated',
		address: { state: 'NY' },
		error_code: null,
		net_pay: '565.57',
		task_count: 7,
		is_grouping: true,
		item: 'item_000041078',
		file_url: `api.argyle.com/v2/payroll-documents/${USER}/file`,
		logo_url: 'https://res.cloudinary.com/argyle/alex.png',
		external_metadata: { 'Alex Sample': 'secret' },
		employers: ['Corner Bakery'],
	};
	expect(new MadeUp().of(body)).toEqual({
		id: '00000000-0000-4000-8000-000000000001',
		user: '00000000-0000-4000-8000-000000000001',
		created_at: '2026-01-02T03:04:05.666666Z',
		hire_date: '2026-01-02',
		first_name: 'made up',
		email: 'made.up@example.com',
		ssn: '000-00-0000',
		phone_number: '+0 (000) 000-0000',
		status: 'generated',
		address: { state: 'made up' },
		error_code: null,
		net_pay: '1.00',
		task_count: 1,
		is_grouping: true,
		item: 'item_000000001',
		file_url: 'api.argyle.com/v2/payroll-documents/00000000-0000-4000-8000-000000000001/file',
		logo_url: 'https://example.com/made-up',
		external_metadata: {},
		employers: ['made up'],
	});
});

it('a recorded answer has three records, and the words of a person also where a word of Argyle may stand', () => {
	expect(new MadeUp().of({ results: [1, 2, 3, 4], type: 'Store Manager of Alex' })).toEqual({
		results: [1, 1, 1],
		type: 'made up',
	});
});
