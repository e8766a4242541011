import { randomUUID } from 'node:crypto';
import type { FormInput, StoredRecord } from './types.mts';

/** A user as Production returns one, with personal data that no picker may show. */
function knownUser(first_name: string, last_name: string, external_id: string | null, day: number): StoredRecord {
	return {
		id: randomUUID(),
		created_at: `2026-06-0${day}T09:12:44.514Z`,
		items_connected: ['item_000001422'],
		employers_connected: ['Whole Goods'],
		external_metadata: null,
		external_id,
		first_name,
		last_name,
		email: `${first_name}.${last_name}@example.com`.toLowerCase(),
		phone_number: '+15550100',
		ssn: '522-09-1191',
		address: { line1: '759 Victoria Plaza', city: 'Los Angeles', country: 'US' },
		birth_date: { day: 1, month: 2, year: 1980 },
	};
}

/** The newest first: two users with all fields, and between them one with the six fields of a recorded response. */
export function seedUsers(): StoredRecord[] {
	const bare: StoredRecord = {
		id: randomUUID(),
		created_at: '2026-06-02T10:00:00.000Z',
		items_connected: [],
		employers_connected: [],
		external_metadata: {},
		external_id: 'crm-1002',
	};
	return [knownUser('Bob', 'Jones', 'crm-1001', 3), bare, knownUser('Joe', 'Burnam', null, 1)];
}

/** A user form as Argyle returns it: with its account, without its user. */
export function userForm(account: string, incomeSource: string, payrollProvider: string): StoredRecord {
	const now = new Date(Date.now()).toISOString();
	return {
		id: randomUUID(),
		account,
		data: { income_source: incomeSource, payroll_provider: payrollProvider },
		created_at: now,
		updated_at: now,
	};
}

/** A user form with what a test gives, and made-up words for the rest. */
export function submittedForm(account: string, input: FormInput): StoredRecord {
	const { id, createdAt, incomeSource = 'Corner Bakery', payrollProvider = 'Paper checks' } = input;
	return {
		...userForm(account, incomeSource, payrollProvider),
		...(id === undefined ? {} : { id }),
		...(createdAt === undefined ? {} : { created_at: createdAt, updated_at: createdAt }),
	};
}

/**
 * One form for each user but the first, stored with `user` so that it can be found by it. It is a minute old: what a
 * test publishes in the same millisecond would start for it.
 */
export function seedForms(userIds: string[]): StoredRecord[] {
	const createdAt = new Date(Date.now() - 60_000).toISOString();
	const input = { incomeSource: 'Harbour Taxi', payrollProvider: 'Cash', createdAt };
	return userIds.slice(1).map((user) => ({ ...submittedForm(randomUUID(), input), user }));
}

const FEATURES = {
	data_retrieval: { refresh_frequency: '5h' },
	field_coverage: {
		identities: { first_name: { supported: true }, hire_date: { supported: false } },
		paystubs: { net_pay: { supported: true }, paystub_period: { start_date: { supported: true } } },
	},
	deposit_destinations: { max_observed_destinations: '2' },
	direct_deposit_switch: { card: { supported: true, max_allocations: '3' } },
};

export const item = (id: string, name: string, fields: object = {}): StoredRecord => ({
	id,
	name,
	kind: 'employer',
	known_limitations: null,
	status: 'healthy',
	status_details: null,
	logo_url: `https://argyle.example.com/${id}.png`,
	is_grouping: false,
	mapping_status: 'verified',
	features: FEATURES,
	...fields,
});

export function seedItems(): StoredRecord[] {
	return [
		item('item_000001422', 'Whole Goods', { known_limitations: 'First 5 digits of SSN obfuscated.' }),
		item('item_000041078', 'GigAndGo', { kind: 'gig' }),
		item('item_000052310', 'Whole Good', { mapping_status: 'unmapped' }),
		item('item_000063005', 'Harbour Bakery', {
			...{ mapping_status: 'mapped', status: 'issues' },
			status_details: 'Connections take longer than usual.',
		}),
	];
}
