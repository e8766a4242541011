import type { IDataObject } from 'n8n-workflow';

import { EXAMPLE_ITEM_ID } from '../utils/ids';
import { reportTypeNames } from './reportTypes';

interface NamedFilter {
	/** As saved in workflows. */
	name: string;
	displayName: string;
	/** As Argyle names it; '' where Argyle can't filter by it. */
	query: string;
	/** Completes "Only those …". */
	meaning: string;
	/** Says in a sentence how many requests the filter takes where Argyle can't filter. */
	cost?: string;
}

/** A filter by one end of a range. The range includes this end. */
export interface DateFilter extends NamedFilter {
	kind: 'from' | 'to';
	/** The field of the record that is tested. */
	field: string;
	/** Whether the field is a day of the calendar, and not a moment. Argyle writes a day as its midnight in UTC. */
	isDay: boolean;
	/** Whether a day that is entered without a time means all of the day, and not its midnight. */
	includesDay?: boolean;
}

/**
 * Whether a record is on the right side of one end of a range (in milliseconds since 1970). Argyle's filters are not
 * enough, because Argyle also sends records from some days before the range (a recorded reply).
 */
export function isWithinEdge({ kind, field }: DateFilter, edge: number, record: IDataObject): boolean {
	const time = Date.parse(String(record[field]));
	return kind === 'from' ? time >= edge : time <= edge;
}

export type Filter =
	| DateFilter
	| (NamedFilter & { kind: 'id' | 'user' | 'account' })
	| (NamedFilter & { kind: 'text' | 'item'; example: string })
	/** `choices` maps each value to the name that people read. */
	| (NamedFilter & { kind: 'options'; choices: Record<string, string> });

const ofOne = (name: string) => ({ name, query: name, meaning: `of this ${name}` });

export const ACCOUNT: Filter = { kind: 'account', displayName: 'Account', ...ofOne('account') };
export const EMPLOYMENT: Filter = { kind: 'id', displayName: 'Employment ID', ...ofOne('employment') };
export const USER: Filter = { kind: 'user', displayName: 'User', ...ofOne('user') };

/** `rangeName` is Argyle's name of the range, which is not always the name of the field that it tests. */
function range(field: string, rangeName: string, called: string, isDay: boolean): [from: DateFilter, to: DateFilter] {
	const edge = { field, isDay };
	const meaning = (side: string) => `with ${called} on or ${side} this date`;
	return [
		{ ...edge, kind: 'from', name: 'from', displayName: 'From', query: `from_${rangeName}`, meaning: meaning('after') },
		{
			...edge,
			kind: 'to',
			name: 'to',
			displayName: 'To',
			query: `to_${rangeName}`,
			meaning: meaning('before'),
			includesDay: true,
		},
	];
}

export const PAYSTUB_DATE = range('paystub_date', 'start_date', 'a paystub date', true);
export const START = range('start_datetime', 'start_datetime', 'a start', false);
export const AVAILABLE_DATE = range('available_date', 'available_date', 'an available date', false);

/** A filter by a time that Argyle itself has no filter for. `meaning` stands before "at this time". */
export function byTime(
	word: string,
	side: 'After' | 'Before',
	field: string,
	meaning: string,
	cost?: NamedFilter['cost'],
): DateFilter {
	const [kind, edge] = side === 'After' ? (['from', 'later'] as const) : (['to', 'earlier'] as const);
	return {
		kind,
		name: `${word.toLowerCase()}${side}`,
		displayName: `${word} ${side}`,
		query: '',
		field,
		isDay: false,
		meaning: `${meaning} at this time or ${edge}`,
		cost,
	};
}

const COST_OF_WHOLE_LIST =
	"Argyle can't filter by this time, so the node reads all that match the other filters: one request for each 200.";

export const CREATED_AFTER = byTime(
	'Created',
	'After',
	'created_at',
	'created',
	"Argyle can't filter by this time, so the node reads the list back to it, with one request for each 200. If the list isn't newest first, the node reads the whole list.",
);
export const CREATED_BEFORE = byTime('Created', 'Before', 'created_at', 'created', COST_OF_WHOLE_LIST);

export const UPDATED_AFTER = byTime('Updated', 'After', 'updated_at', 'updated', COST_OF_WHOLE_LIST);

export const EXTERNAL_ID: Filter = {
	kind: 'text',
	name: 'externalId',
	displayName: 'External ID',
	query: 'external_id',
	meaning: 'that have exactly this ID',
	example: 'crm-1001',
};

export const ITEM: Filter = {
	kind: 'item',
	name: 'item',
	displayName: 'Item ID',
	query: 'item',
	meaning: 'of this Item',
	example: EXAMPLE_ITEM_ID,
};

export const ONGOING_REFRESH_STATUS: Filter = {
	kind: 'options',
	name: 'ongoingRefreshStatus',
	displayName: 'Ongoing Refresh Status',
	query: 'ongoing_refresh_status',
	meaning: 'whose ongoing refresh is in this state',
	choices: { disabled: 'Disabled', enabled: 'Enabled', idle: 'Idle' },
};

export const DOCUMENT_TYPES = {
	'1099': '1099',
	miscellaneous: 'Miscellaneous',
	paystubs: 'Paystubs',
	'proof-of-address': 'Proof of Address',
	'proof-of-identity': 'Proof of Identity',
	'W-2': 'W-2',
};

export const DOCUMENT_TYPE: Filter = {
	kind: 'options',
	name: 'documentType',
	displayName: 'Document Type',
	query: 'document_type',
	meaning: 'of this type',
	choices: DOCUMENT_TYPES,
};

export const LOAN_NUMBER: Filter = {
	kind: 'text',
	name: 'loanNumber',
	displayName: 'Loan Number',
	query: 'loan_number',
	meaning: 'for the loan with this number',
	example: '1234',
};

export const REPORT_TYPE: Filter = {
	kind: 'options',
	name: 'reportType',
	displayName: 'Report Type',
	query: 'report_type',
	meaning: 'with a report of this type',
	choices: reportTypeNames(['doc-voi-mortgage', 'voa', 'voai', 'voe', 'voe-transactions', 'voi', 'voie']),
};

export const STATUS_CODE: Filter = {
	kind: 'options',
	name: 'statusCode',
	displayName: 'Status Code',
	query: 'status_code',
	meaning: 'with this status code',
	choices: {
		argyle_timeout: 'Argyle Timeout',
		authenticated: 'Authenticated',
		awaiting_certification: 'Awaiting Certification',
		cancelled_by_client: 'Cancelled by Client',
		completed: 'Completed',
		completed_with_errors: 'Completed with Errors',
		connection_attempted: 'Connection Attempted',
		documents_processing: 'Documents Processing',
		invite_sent: 'Invite Sent',
		more_data_required: 'More Data Required',
		pending: 'Pending',
		report_available: 'Report Available',
		report_generating: 'Report Generating',
		syncing_error: 'Syncing Error',
		system_error: 'System Error',
		user_session_started: 'User Session Started',
		waiting_on_third_party: 'Waiting on Third Party',
	},
};

export const STATUS_STATE: Filter = {
	kind: 'options',
	name: 'statusState',
	displayName: 'Status State',
	query: 'status_state',
	meaning: 'in this state',
	choices: {
		CANCELLED: 'Cancelled',
		COMPLETED: 'Completed',
		PAUSED: 'Paused',
		PENDING: 'Pending',
		PROCESSING: 'Processing',
	},
};
