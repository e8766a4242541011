import { randomUUID } from 'node:crypto';
import { payDestinations } from './payDestinations.mts';
import { reportFiles, verificationProgress } from './reportFiles.mts';
import type { Owner, StoredRecord } from './types.mts';

export type RecordTypeName = keyof typeof RECORD_TYPES;

/** A record type: how Argyle lists them, and how one is made up. */
export interface RecordType {
	/** Each is compared exactly with the field of its name, or of another (`routes.mts`). */
	filters: string[];
	/** By this field the list is sorted. @default 'created_at' */
	date?: string;
	/** The filters that test `date`. */
	range?: [from: string, to: string];
	/** Argyle has only the list. */
	isListOnly?: boolean;
	/** Its records have no `updated_at`. */
	isNeverUpdated?: boolean;
	/** Its own fields, beside `id`, `created_at` and `updated_at`. The higher `index`, the older the record. */
	record: (owner: Owner, index: number, id: string) => Record<string, unknown>;
}

const HOUR = 3_600_000;
const NEWEST = Date.parse('2026-10-30T00:00:00Z');

/** In the form of the paystubs' and gigs' own dates. */
const hoursBefore = (hours: number) => new Date(NEWEST - hours * HOUR).toISOString().replace('.000Z', 'Z');

export const createdAt = (index: number) => new Date(NEWEST + 12 * HOUR - index * HOUR).toISOString();

/** Only the first has been paid. */
const PAYSTUB_STATUSES = ['completed', 'scheduled', 'cancelled', 'excluded'];

const OF_ACCOUNT = ['account', 'user'];
const money = (cents: number) => (cents / 100).toFixed(2);

/** The values of these records that would hurt a person in the wrong hands. */
export const SENSITIVE = /522-09-119|1980-10-30|"year":1980|"document_number":"document-|123456783740|123456780000/;

/** As Argyle's OpenAPI file has them; values are made up. */
export const RECORD_TYPES = {
	accounts: {
		filters: ['user', 'item', 'ongoing_refresh_status'],
		record: ({ user }) => ({
			user,
			employers: ['Whole Goods'],
			item: 'item_000001422',
			source: 'payrollcorp',
			scanned_at: hoursBefore(0),
			connection: { status: 'connected', error_code: null, error_message: null, updated_at: hoursBefore(1) },
			direct_deposit_switch: { status: 'idle', error_code: null, error_message: null, updated_at: hoursBefore(1) },
			availability: { paystubs: null, gigs: null, shifts: null },
			ongoing_refresh: { status: 'enabled' },
		}),
	},
	identities: {
		filters: [...OF_ACCOUNT, 'employment'],
		record: ({ account }) => ({
			account,
			employment: account,
			address: { line1: '852 North W St', line2: 'Apt 221', city: 'New York', state: 'NY', postal_code: '10014' },
			first_name: 'Sarah',
			last_name: 'Longfield',
			full_name: 'Sarah Longfield',
			birth_date: '1980-10-30',
			email: 'sarah.longfield@example.com',
			phone_number: '+15550111',
			employment_status: 'active',
			job_title: 'Store Manager',
			hire_date: '2020-04-08',
			ssn: '522-09-1192',
			employer: 'Whole Goods',
			base_pay: { amount: '58024.50', period: 'annual', currency: 'USD' },
			metadata: {},
		}),
	},
	employments: {
		filters: OF_ACCOUNT,
		isListOnly: true,
		isNeverUpdated: true,
		record: (owner) => ({ ...owner, employer: 'Whole Goods', employment_status: 'active', origin: 'retrieved' }),
	},
	paystubs: {
		filters: [...OF_ACCOUNT, 'employment'],
		date: 'paystub_date',
		range: ['from_start_date', 'to_start_date'],
		record: ({ account }, index) => ({
			account,
			payroll_document: index % 2 === 0 ? null : account,
			employment: account,
			employer: 'Whole Goods',
			status: PAYSTUB_STATUSES[index % PAYSTUB_STATUSES.length],
			paystub_date: hoursBefore(index * 7 * 24),
			paystub_period: { start_date: hoursBefore((index + 2) * 7 * 24), end_date: hoursBefore((index + 1) * 7 * 24) },
			currency: 'USD',
			gross_pay: money(63_057 + index),
			taxes: '65.00',
			net_pay: money(56_557 + index),
			hours: '38.78',
			destinations: payDestinations(index),
			metadata: {},
		}),
	},
	gigs: {
		filters: OF_ACCOUNT,
		date: 'start_datetime',
		range: ['from_start_datetime', 'to_start_datetime'],
		record: ({ account }, index) => ({
			account,
			employer: 'GigAndGo',
			status: 'completed',
			type: 'delivery',
			task_count: 1,
			start_datetime: hoursBefore(index + 1),
			end_datetime: hoursBefore(index),
			duration: 3_600,
			timezone: 'America/New_York',
			distance: '1.80',
			distance_unit: 'miles',
			income: { currency: 'USD', total: money(3_068 + index), pay: '26.58', tips: '6.42' },
			metadata: {},
		}),
	},
	shifts: {
		filters: OF_ACCOUNT,
		date: 'start_datetime',
		range: ['from_start_datetime', 'to_start_datetime'],
		record: ({ account }, index) => ({
			account,
			employer: 'Whole Goods',
			status: 'completed',
			type: 'hourly',
			start_datetime: hoursBefore(index * 24 + 8),
			end_datetime: hoursBefore(index * 24),
			hours: '7.2',
			timezone: 'America/New_York',
			location: '302 East N St, New York, NY 10014, US',
			metadata: {},
		}),
	},
	vehicles: {
		filters: OF_ACCOUNT,
		record: ({ account }) => ({
			account,
			identification: 'AEWUQ7',
			make: 'Ford',
			model: 'Mondeo',
			type: 'car',
			year: 1998,
			vin: 'QUICELDKTRQJ4S33C',
			employer: 'GigAndGo',
			metadata: {},
		}),
	},
	ratings: {
		filters: OF_ACCOUNT,
		record: ({ account }) => ({ account, rating: '4.98', acceptance_rate: '0.91', employer: 'GigAndGo', metadata: {} }),
	},
	'deposit-destinations': {
		filters: OF_ACCOUNT,
		record: ({ account }) => ({
			account,
			employer: 'Whole Goods',
			destination_type: 'ach_deposit_account',
			status: 'active',
			allocation_type: 'amount',
			currency: 'USD',
			allocation_value: '325.70',
			ach_deposit_account: {
				account_number: '123456780000',
				bank_name: 'NW Bank',
				routing_number: '026010000',
				account_type: 'savings',
			},
			metadata: {},
		}),
	},
	verifications: {
		filters: ['user', 'status_state', 'status_code', 'report_type', 'loan_number'],
		record: ({ user }, index) => ({
			user,
			channel: 'api',
			...verificationProgress(index % 2 === 0 ? undefined : randomUUID()),
			employments: [],
			loan: { number: String(1_234 + index), borrower_id: 'ABC789' },
			data_source: 'payroll',
		}),
	},
	'payroll-documents': {
		filters: [...OF_ACCOUNT, 'employment'],
		date: 'available_date',
		range: ['from_available_date', 'to_available_date'],
		record: ({ account }, index, id) => ({
			account,
			document_number: `document-${index}`,
			available_date: hoursBefore(index * 24),
			expiration_date: null,
			employer: 'Whole Goods',
			employment: account,
			document_type: 'paystub',
			document_type_description: 'Paystub',
			// Without a scheme, and with Argyle's own host whoever asks.
			file_url: `api.argyle.com/v2/payroll-documents/${id}/file`,
			ocr_data: {},
			metadata: {},
		}),
	},
	'user-uploads': {
		filters: [...OF_ACCOUNT, 'document_type'],
		record: ({ account }, index, id) => ({
			account,
			document_type: 'paystubs',
			file_url: `/v2/user-uploads/${id}/file`,
			file_name: `most_recent_paystub_${index}.pdf`,
			metadata: { ocr_documents: [] },
			processing: { classification: 'unauthorized', ocr: 'unauthorized', authenticity: 'unauthorized' },
		}),
	},
	reports: {
		filters: ['user'],
		isNeverUpdated: true,
		record: ({ user, account }, index, id) => ({
			user,
			reference_id: id,
			generated_at: createdAt(index),
			type: 'voie',
			status: 'generated',
			...reportFiles(id),
			last_synced_at: hoursBefore(0),
			accounts: [{ id: account, item: 'item_000001422', last_synced_at: hoursBefore(0) }],
			metadata: {},
			external_id: null,
		}),
	},
} satisfies Record<string, RecordType>;

export const isRecordType = (name: string): name is RecordTypeName => Object.hasOwn(RECORD_TYPES, name);

export function recordOf(name: RecordTypeName, owner: Owner, index: number, id: string): StoredRecord {
	const recordType: RecordType = RECORD_TYPES[name];
	const created_at = createdAt(index);
	const updated = recordType.isNeverUpdated === true ? {} : { updated_at: created_at };
	return { id, ...recordType.record(owner, index, id), created_at, ...updated };
}
