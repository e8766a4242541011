import { createMask, isSensitive } from '../../../nodes/Argyle/api/sensitiveFields';

const MASK = '•••';
const maskSensitive = createMask();

describe('createMask', () => {
	it.each([
		['ssn', '522-09-1191'],
		['employee_ssn', '522-09-1191'],
		['employeeSsn', '522-09-1191'],
		['w2-employee_ssn', '522-09-1191'],
		['employeeSSNLast4', '1191'],
		['employeeSSNs', ['522-09-1191']],
		['social_security_number', 522_091_191],
		['birth_date', '1980-10-30'],
		['birth_date', { day: 1, month: 2, year: 1980 }],
		['date_of_birth', ['1980-10-30']],
		['recipient_tin', '111-11-1112'],
		['claim_no', '522-09-1191A'],
		['ssn', true],
		['dob', '1980-10-30'],
		['birthdate', '1980-10-30'],
		['employee_tax_id', '522-09-1191'],
		['tin', '522-09-1191'],
		['itin', '922-79-1191'],
		['sin', '046 454 286'],
		['ssn_last4', '1191'],
		['ssn_last_4', 1191],
		['passport_number', 'X1234567'],
		['passport', 'X1234567'],
		['passport_no', 'X1234567'],
		['document_number', 'D1234567'],
		['license_number', 'D1234567'],
		['drivers_license', 'D1234567'],
		['driver_licence_no', 'D1234567'],
		['national_id', '522-09-1191'],
		['birthday', '1980-10-30'],
		['ssn_number', '522-09-1191'],
		['ssnNumber', '522-09-1191'],
		['ssn_full', '522-09-1191'],
		['ss_number', '522-09-1191'],
		['social_security', '522-09-1191'],
		['dl_number', 'D1234567'],
		['document_numbers', ['D1234567']],
		['passport_numbers', ['X1234567']],
		['ssns', ['522-09-1191', '522-09-1192']],
		['ssn_1', '522-09-1191'],
		['employee_ssn_1a', '522-09-1191'],
		['tin_2', '522-09-1191'],
		['Social Security Number', '522-09-1191'],
		["Employee's SSN:", '522-09-1191'],
		["Driver's License No.", 'D1234567'],
	])('leaves nothing of %s: %p', (field, value) =>
		expect(maskSensitive({ [field]: value })).toEqual({ [field]: MASK }),
	);

	it.each([
		['account_number', '757127245584', '•••5584'],
		['account_number', 757_127_245_584, '•••5584'],
		['account_number', '*********2201', '•••2201'],
		['bankAccountNumber', '7571 2724 5584', '•••5584'],
		['card_number', '****5678', '•••5678'],
		['account_no', '000110CHIC/NHO', '•••0110'],
		['Account Number', '757127245584', '•••5584'],
		['account_number_2', '757127245584', '•••5584'],
		['account_numbers', ['757127245584', '5678'], ['•••5584', MASK]],
		['reference', 'CHECKING *********2201', '•••2201'],
		['reference', 'Direct deposit', MASK],
		['account_number', '5678', MASK],
		['account_number', '1234567', MASK],
		['account_number', { value: '757127245584' }, MASK],
	])('leaves at most the last four digits of %s: %p', (field, value, masked) =>
		expect(maskSensitive({ [field]: value })).toEqual({ [field]: masked }),
	);

	it.each([null, undefined, ''])('keeps %p, which hides nothing', (empty) => {
		const record = { ssn: empty, birth_date: empty, account_number: empty };
		expect(maskSensitive(record)).toEqual(record);
	});

	it('masks what is nested, however deep, and leaves everything else and the record itself as they are', () => {
		const nested = (ssn: string, account_number: string) => ({
			id: 'a',
			destinations: [
				{ amount: '1', card: null, ach_deposit_account: { routing_number: '026010000', account_number } },
				[[{ people: { borrower: { ssn, name: 'Sarah' } } }]],
			],
			ocr_data: { form: { recipient_tin: ssn, payer_tin: '11-1111112', year: '2020' }, pages: [1, 2, null, true] },
		});
		const record = nested('522-09-1191', '123456783740');
		expect(maskSensitive(record)).toEqual(nested(MASK, '•••3740'));
		expect(record).toEqual(nested('522-09-1191', '123456783740'));
	});

	it.each<[object, string[]]>([
		[{ name: 'employee_ssn', value: '522-09-1191' }, ['value']],
		[{ field_name: 'dob', value: '1980-10-30' }, ['value']],
		[{ name: 'Bob', value: 1 }, []],
		[{ key: 'ssn', values: ['522-09-1191'], type: 'text' }, ['values']],
		[{ field: 'ssn_1', raw_value: '522-09-1191', value: '522091191' }, ['raw_value', 'value']],
		[{ label: 'Social Security Number', value: '522-09-1191' }, ['value']],
		[{ type: 'drivers_license', value: 'D1234567' }, ['value']],
		[{ title: 'SSN', text: '522-09-1191' }, ['text']],
		[{ id: 'ssn', content: '522-09-1191' }, ['content']],
		[{ id: 'a', title: 'Note', text: 'Paid', content: 'Paid' }, []],
	])('masks in %j, beside the name of a field, %j', (pair, hidden) => {
		const masked = Object.fromEntries(hidden.map((field) => [field, MASK]));
		expect(maskSensitive({ fields: [pair] })).toEqual({ fields: [{ ...pair, ...masked }] });
	});

	it("masks a card's number by its card, and no other number", () => {
		const record = (number: string, loan: string, phone: string) => ({
			destinations: [{ card: { name: 'Visa', number }, ach_deposit_account: null }, { card: null }, { card: 'Visa' }],
			debit_card: { number, nested: [{ card: { number } }] },
			loan: { number: loan },
			phone_number: phone,
			number: loan,
			card: { name: 'Visa' },
		});
		expect(maskSensitive(record('4111111111111111', '4111111111111111', '+14155550142'))).toEqual(
			record('•••1111', '4111111111111111', '+14155550142'),
		);
	});

	it('masks the number of each card of a list', () => {
		const number = '4111111111111111';
		const record = { cards: [{ number }, null], payment_card: [{ number }, [{ number }]], postcard: [{ number }] };
		expect(maskSensitive(record)).toEqual({
			cards: [{ number: '•••1111' }, null],
			payment_card: [{ number: '•••1111' }, [{ number: '•••1111' }]],
			postcard: [{ number }],
		});
	});

	it('masks the warning of a text recognition that repeats a sensitive value, and no other warning', () => {
		const warnings = [
			{ field_name: 'recipient_tin', message: 'non numeric chars removed, original value: 111-11-1112', severity: 0 },
			{ field_name: 'rent_1', message: 'rent_1 not found', severity: 0 },
		];
		expect(maskSensitive({ ocr_data: { warnings } })).toEqual({
			ocr_data: { warnings: [{ field_name: 'recipient_tin', message: MASK, severity: 0 }, warnings[1]] },
		});
	});
});

it('createMask never lets a token out, not even where all else is shown, but tells whether there was one', () => {
	const card = { number: '4111111111111111' };
	const record = { ssn: '522-09-1191', card, fields: [{ name: 'dob', value: '1980' }], user: { user_token: 'jwt' } };
	const withoutToken = { ...record, user: { has_user_token: true } };
	expect(createMask({ isForTokensOnly: true })(record)).toEqual(withoutToken);
	expect(maskSensitive({ users: [{ user_token: '' }, { user_token: null }, { user_token: 'jwt' }] })).toEqual({
		users: [{ has_user_token: false }, { has_user_token: false }, { has_user_token: true }],
	});
});

it.each([
	['a sensitive field', { ssn: '522-09-1191', account_number: '757127245584', id: 'a' }, 2],
	["a card's number", { card: { name: 'Visa', number: '4111111111111111' } }, 1],
	['the value beside the name of one', { fields: [{ name: 'dob', value: '1980-10-30' }] }, 1],
	['what is empty or not sensitive', { ssn: null, account_number: '', name: 'Bob', value: 1 }, 0],
])('createMask reports each mask it puts in place of %s', (_, record, count) => {
	const onMask = jest.fn();
	createMask({ onMask })(record);
	expect(onMask).toHaveBeenCalledTimes(count);
});

it.each([
	'id',
	'account',
	'user',
	'employment',
	'reference_id',
	'document_type',
	'license_plate_number',
	'number',
	'card',
	'payer_tin_1',
	'ssn_verified',
	'ss_wages_3',
	'passing',
])('takes the field %s for nothing sensitive', (field) => expect(isSensitive(field)).toBe(false));
