import {
	ACCOUNT,
	AVAILABLE_DATE,
	CREATED_AFTER,
	CREATED_BEFORE,
	DOCUMENT_TYPE,
	EMPLOYMENT,
	EXTERNAL_ID,
	type Filter,
	ITEM,
	LOAN_NUMBER,
	ONGOING_REFRESH_STATUS,
	PAYSTUB_DATE,
	REPORT_TYPE,
	START,
	STATUS_CODE,
	STATUS_STATE,
	UPDATED_AFTER,
	USER,
} from './filters';

/** The name of a field that holds the address of a file. */
export type FileField = 'file_url' | 'json_url';

/** A kind of record at Argyle: how it is read, and what may come out. */
export interface RecordType {
	/** What one record is called, and what many are called, in the words of the Argyle Console. */
	one: string;
	many: string;
	/** From the host on, such as `/v2/users`. */
	path: string;
	/** The filters of Get Many: all of Argyle's, and those by time that we add. Empty if another file has them. */
	filters: Filter[];
	/** Whether Argyle has only the list, and no endpoint for one record. */
	isListOnly?: boolean;
	/** Whether its IDs are not always UUIDs. */
	hasAnyId?: boolean;
	/** Where events hold the ID of such a record, in their `data`. */
	eventField?: string;
	/** The fields that lead to a file. */
	fileFields?: FileField[];
	/** The field whose value has the `fileFields`. Undefined if the record itself has them. */
	filesIn?: string;
	/** The fields that Simplify keeps, for records with more than ten fields. */
	simplified?: string[];
}

export const words = (text: string) => text.split(' ');

/**
 * By the name of the resource in saved workflows, in the order in which the node shows the resources. Paths, filters
 * and fields are those of Argyle's OpenAPI file, 1.0.111.
 */
export const RECORD_TYPES = {
	user: {
		one: 'user',
		many: 'users',
		path: '/v2/users',
		filters: [CREATED_AFTER, EXTERNAL_ID],
		simplified: words(
			'id external_id first_name last_name email phone_number employers_connected items_connected external_metadata created_at',
		),
	},
	userForm: {
		one: 'user form',
		many: 'user forms',
		path: '/v2/user-forms',
		filters: [ACCOUNT, CREATED_AFTER, CREATED_BEFORE, USER],
		eventField: 'user_form',
	},
	account: {
		one: 'account',
		many: 'accounts',
		path: '/v2/accounts',
		filters: [CREATED_AFTER, ITEM, ONGOING_REFRESH_STATUS, UPDATED_AFTER, USER],
		eventField: 'account',
		simplified: words(
			'id user employers item source connection direct_deposit_switch ongoing_refresh created_at updated_at',
		),
	},
	identity: {
		one: 'identity',
		many: 'identities',
		path: '/v2/identities',
		filters: [ACCOUNT, EMPLOYMENT, USER],
		eventField: 'identity',
		simplified: words(
			'id account employer full_name email phone_number job_title employment_status hire_date base_pay',
		),
	},
	employment: {
		one: 'employment',
		many: 'employments',
		path: '/v2/employments',
		filters: [ACCOUNT, USER],
		isListOnly: true,
	},
	paystub: {
		one: 'paystub',
		many: 'paystubs',
		path: '/v2/paystubs',
		filters: [ACCOUNT, EMPLOYMENT, ...PAYSTUB_DATE, USER],
		// Without the status, nobody could tell whether a paystub was paid.
		simplified: words('id account employer status paystub_date paystub_period currency gross_pay net_pay hours'),
	},
	gig: {
		one: 'gig',
		many: 'gigs',
		path: '/v2/gigs',
		filters: [ACCOUNT, ...START, USER],
		simplified: words('id account employer status type start_datetime end_datetime duration timezone income'),
	},
	shift: {
		one: 'shift',
		many: 'shifts',
		path: '/v2/shifts',
		filters: [ACCOUNT, ...START, USER],
		simplified: words('id account employer status type start_datetime end_datetime hours timezone location'),
	},
	payrollDocument: {
		one: 'payroll document',
		many: 'payroll documents',
		path: '/v2/payroll-documents',
		filters: [ACCOUNT, EMPLOYMENT, ...AVAILABLE_DATE, USER],
		fileFields: ['file_url'],
		eventField: 'payroll_document',
		simplified: words(
			'id account employment employer document_type document_type_description available_date file_url ocr_data created_at',
		),
	},
	userUpload: {
		one: 'user upload',
		many: 'user uploads',
		path: '/v2/user-uploads',
		filters: [ACCOUNT, CREATED_AFTER, DOCUMENT_TYPE, UPDATED_AFTER, USER],
		fileFields: ['file_url'],
		eventField: 'user_upload',
	},
	report: {
		one: 'report',
		many: 'reports',
		path: '/v2/reports',
		filters: [CREATED_AFTER, USER],
		fileFields: ['file_url', 'json_url'],
		simplified: words('id user external_id type status file_url json_url accounts created_at last_synced_at'),
	},
	verification: {
		one: 'verification',
		many: 'verifications',
		path: '/v2/verifications',
		filters: [CREATED_AFTER, LOAN_NUMBER, REPORT_TYPE, STATUS_CODE, STATUS_STATE, UPDATED_AFTER, USER],
		fileFields: ['file_url', 'json_url'],
		filesIn: 'report',
		hasAnyId: true,
		eventField: 'verification',
		simplified: words('id user status report employments loan data_source channel created_at updated_at'),
	},
	depositDestination: {
		one: 'deposit destination',
		many: 'deposit destinations',
		path: '/v2/deposit-destinations',
		filters: [ACCOUNT, USER],
		eventField: 'deposit_destination',
		simplified: words(
			'id account employer destination_type status allocation_type allocation_value ach_deposit_account acss_debit card',
		),
	},
	vehicle: {
		one: 'vehicle',
		many: 'vehicles',
		path: '/v2/vehicles',
		filters: [ACCOUNT, USER],
		eventField: 'vehicle',
		simplified: words('id account employer type make model year identification vin updated_at'),
	},
	rating: {
		one: 'rating',
		many: 'ratings',
		path: '/v2/ratings',
		filters: [ACCOUNT, USER],
		eventField: 'rating',
	},
} satisfies Record<string, RecordType>;

export const withArticle = (one: string) => (/^[aei]/.test(one) ? `an ${one}` : `a ${one}`);

export const titleCase = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
