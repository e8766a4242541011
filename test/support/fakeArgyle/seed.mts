import { randomUUID } from 'node:crypto';
import type { StoredRecord } from './types.mts';

/** A user as production shows one: with personal data, which no picker may repeat. */
function knownUser(first_name: string, last_name: string, external_id: string | null): StoredRecord {
	return {
		id: randomUUID(),
		created_at: '2026-06-01T09:12:44.514Z',
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

/** The users that the service starts with: two with all fields, one with the six that a recorded answer had. */
export function seedUsers(): StoredRecord[] {
	const bare: StoredRecord = {
		id: randomUUID(),
		created_at: '2026-06-02T10:00:00.000Z',
		items_connected: [],
		employers_connected: [],
		external_metadata: {},
		external_id: 'crm-1002',
	};
	return [knownUser('Bob', 'Jones', 'crm-1001'), bare, knownUser('Joe', 'Burnam', null)];
}

/** A user form as the service stores it: it names the account, not the user. */
export function userForm(account: string, incomeSource: string, payrollProvider: string): StoredRecord {
	const now = new Date().toISOString();
	return {
		id: randomUUID(),
		account,
		data: { income_source: incomeSource, payroll_provider: payrollProvider },
		created_at: now,
		updated_at: now,
	};
}

/** Takes ids of users; gives one form for each but the first, kept with its user as the service finds it by. */
export function seedForms(userIds: string[]): StoredRecord[] {
	return userIds.slice(1).map((user) => ({ ...userForm(randomUUID(), 'Harbour Taxi', 'Cash'), user }));
}
