import { userFields } from '../../nodes/Argyle/resources/user/userFields';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const create = async (additionalFields: object, options = {}) =>
	await node.run({ resource: 'user', operation: 'create', additionalFields }, options);

const update = async (updateFields: object, id = node.userId()) =>
	await node.run({ resource: 'user', operation: 'update', userId: byId(id), updateFields });

const sent = () => node.writes().map(({ body }) => body);

/** What was entered, and what Argyle is sent for it. */
const FIELDS: Array<[title: string, entered: object, body: object]> = [
	['names', { firstName: ' Alex ', lastName: 'Sample' }, { first_name: 'Alex', last_name: 'Sample' }],
	['an e-mail address', { email: 'alex@example.com' }, { email: 'alex@example.com' }],
	['a phone number that a sheet gives as a number', { phoneNumber: 12125550123 }, { phone_number: '+12125550123' }],
	['an external ID', { externalId: 'crm-7' }, { external_id: 'crm-7' }],
	['a social security number', { ssn: '000-00-0000' }, { ssn: '000-00-0000' }],
	['a birth date', { birthDate: '1980-10-30' }, { birth_date: { year: 1980, month: 10, day: 30 } }],
	[
		'an address',
		{ address: { value: { line1: '1 Example Way', line2: '', city: 'New York', postalCode: 10014, country: 'us' } } },
		{ address: { line1: '1 Example Way', city: 'New York', postal_code: '10014', country: 'US' } },
	],
	[
		'a ZIP code that a sheet gives as a number',
		{ address: { value: { postalCode: 7030, country: 'US' } } },
		{ address: { postal_code: '07030', country: 'US' } },
	],
	['a number as people write it', { phoneNumber: '(212) 555-0101' }, { phone_number: '+12125550101' }],
	[
		'a number of which only Argyle knows whether it is one',
		{ phoneNumber: '+15550100123' },
		{ phone_number: '+15550100123' },
	],
	['metadata', { metadata: '{"stage": "2"}' }, { external_metadata: { stage: '2' } }],
	['metadata of an expression', { metadata: '={{ { stage: 2 } }}' }, { external_metadata: { stage: 2 } }],
	[
		'metadata with keys that n8n uses for a choice',
		{ metadata: '{"mode": "auto", "value": ""}' },
		{ external_metadata: { mode: 'auto', value: '' } },
	],
	[
		'metadata of an expression with such a key',
		{ metadata: '={{ { mode: "auto" } }}' },
		{ external_metadata: { mode: 'auto' } },
	],
	['metadata that is a list', { metadata: '["vip"]' }, { external_metadata: ['vip'] }],
	['metadata that is a text', { metadata: '"vip"' }, { external_metadata: 'vip' }],
	[
		'a state and country that are the same in all rows, beside empty cells',
		{ firstName: 'Alex', address: { value: { line1: '={{ $json.street }}', state: 'NY', country: 'US' } } },
		{ first_name: 'Alex' },
	],
	[
		'one field, beside expressions that find nothing',
		{ firstName: 'Alex', lastName: "={{ $json.middle + ' ' + $json.last }}", email: '={{ $json.user }}@example.com' },
		{ first_name: 'Alex' },
	],
	[
		'one field, beside some that are empty',
		{ firstName: 'Alex', lastName: '', email: ' ', phoneNumber: '={{ $json.phone }}', address: {}, birthDate: '' },
		{ first_name: 'Alex' },
	],
];

const REFUSED: Array<[entered: object, message: string]> = [
	[{ birthDate: 'long ago' }, 'Birth Date is not a date'],
	[{ birthDate: '1080-10-30' }, 'Birth Date is too long ago'],
	[{ birthDate: "={{ DateTime.fromFormat('10/30/55', 'MM/dd/yy').toISODate() }}" }, 'Birth Date is in the future'],
	[{ address: { value: { country: 'USA' } } }, 'Country of Address can\'t be "USA"'],
	[{ ssn: 12345678 }, 'Social Security Number does not have nine digits'],
	[{ ssn: '•••' }, 'Social Security Number does not have nine digits'],
	[{ metadata: '{"stage": ' }, 'Metadata is no JSON'],
	[{ metadata: '={{ "vip" }}' }, 'Metadata is no JSON'],
	[{ metadata: { stage: '2', person: { dob: '•••' } } }, 'Metadata has a hidden value'],
	[{ metadata: '{"account_number": "•••6789"}' }, 'Metadata has a hidden value'],
	[{ firstName: '={{ { first: "Alex" } }}' }, 'First Name is no text'],
];

it.each(userFields)('the field $displayName of a user is tried in the tests of this file', ({ name }) => {
	expect(FIELDS.filter(([, entered]) => name in entered)).not.toEqual([]);
});

describe('User Create', () => {
	it.each(FIELDS)('User Create with %s sends that and nothing else', async (_, entered, body) => {
		const [item] = await create(entered);
		expect(sent()).toEqual([body]);
		const masked = ['ssn', 'birth_date'].filter((field) => field in body).map((field) => [field, '•••']);
		expect(item?.json).toMatchObject({ id: expect.any(String), ...body, ...Object.fromEntries(masked) });
		expect(node.service.users.get(String(item?.json.id))).toMatchObject(body);
	});

	it.each([
		{},
		{ email: '={{ $json.unknown }}', lastName: ' ', address: {} },
		{ metadata: '{}' },
		{ metadata: ' { } ' },
	])('User Create with %p is refused, because nobody would find such a user again', async (entered) => {
		const { message, description } = await failure(create(entered));
		expect(message).toBe('No field of the new user has a value [item 0]');
		expect(description).toContain('Nothing was sent to Argyle.');
		expect(node.service.requests).toEqual([]);
	});

	it.each(REFUSED)('User Create with %p is refused before anything is sent: %s', async (entered, message) => {
		expect(await node.refusalOf(create(entered))).toBe(`${message} [item 0]`);
	});

	it.each(['200', '201'] as const)(
		'User Create puts out no token, whether Argyle answers %s',
		async (createdStatus) => {
			node.service.assumed.createdStatus = createdStatus;
			const [item] = await create({ firstName: 'Alex' });
			expect(JSON.stringify(item)).not.toMatch(/eyJ|made-up-signature/);
			expect(item?.json).not.toHaveProperty('user_token');
		},
	);

	it.each([
		['123-45-6789', '123-45-6789'],
		['123-45-6789', '123456789'],
		['123456789', '123-45-6789'],
		['123 45 6789', '123-45-6789'],
		['123456789', '123 45 6789'],
		['123-45-6789', '123.45.6789'],
	])('hides the social security number %s that Argyle refuses as %s', async (ssn, quoted) => {
		node.service.addFault({ kind: 'status', status: 400, body: { ssn: [`${quoted} is not valid.`] } });
		const { description } = await failure(create({ ssn }));
		expect(description).toContain('ssn: [hidden] is not valid.');
	});

	it('a user who was created, but whose record can not be read, comes out by ID with the reason', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'status', status: 500, method: 'GET', times: Infinity });
		const [item] = await create({ firstName: 'Alex' });
		expect(item?.json).toEqual({ id: expect.any(String), recordError: expect.stringContaining('not available') });
		expect(sent()).toHaveLength(1);
	});
});

describe('User Update', () => {
	it.each(FIELDS)('User Update with %s sends that and nothing else', async (_, entered, body) => {
		const before = { ...node.service.users.get(node.userId()) };
		const [item] = await update(entered);
		expect(sent()).toEqual([body]);
		// Only for an External ID, Argyle is asked before whether another user has it.
		expect(node.service.requests).toHaveLength('external_id' in body ? 2 : 1);
		expect(item?.json).toMatchObject({ id: node.userId(), ssn: '•••', birth_date: '•••' });
		const after = node.service.users.get(node.userId());
		expect(after).toEqual({ ...before, ...body });
	});

	it.each([
		['shallow', { a: { y: 2 }, b: 1 }],
		['deep', { a: { x: 1, y: 2 }, b: 1 }],
	] as const)('User Update adds to the metadata, as %s as Argyle does', async (metadataMerge, external_metadata) => {
		node.service.assumed.metadataMerge = metadataMerge;
		await update({ metadata: { a: { x: 1 }, b: 1 } });
		const [item] = await update({ metadata: { a: { y: 2 } } });
		expect(item?.json).toMatchObject({ external_metadata });
	});

	it.each([...REFUSED, [{}, 'No field to change has a value'], [{ email: '' }, 'No field to change has a value']])(
		'User Update with %p is refused before anything is sent: %s',
		async (entered, message) => {
			expect(await node.refusalOf(update(entered))).toContain(message);
		},
	);

	it('User Update says that the user is gone whom its second try does not find', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'status', status: 503 });
		node.service.addFault({ kind: 'status', status: 404 });
		expect((await failure(update({ firstName: 'Alex' }))).message).toMatch(/^Argyle could not find the user/);
		expect(sent()).toHaveLength(2);
	});

	it('User Update is repeated after a lost answer, because the same values again change nothing', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'dropAfterCommit', method: 'PATCH' });
		const [item] = await update({ firstName: 'Alexa' });
		expect(item?.json.first_name).toBe('Alexa');
		expect(sent()).toHaveLength(2);
	});
});
