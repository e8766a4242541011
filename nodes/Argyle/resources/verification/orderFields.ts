import { type IDataObject, type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import { REPORT_TYPES } from '../../api/verifications';
import { textField } from '../../shared/fields';
import { readEmailAddress, readEmailAddresses } from '../../shared/addresses';
import { isLeftOver } from '../../shared/leftOver';
import { readBoolean, readChoice, readOptionalText, readTexts } from '../../shared/parameters';
import { readDate } from '../../shared/readDate';
import { isLeftOutByModel } from '../../shared/readFilterValues';
import { refused } from '../../transport/errors';
import { isNothing } from '../../utils/coerce';
import { isDataObject } from '../../utils/json';
import { customFieldsField, readCustomFields } from './customFields';

type Sent = string | number | boolean | string[] | IDataObject[];

/** Where a value comes from. `saved` is what the workflow holds: the value or its expression. */
interface Origin {
	context: IExecuteFunctions;
	itemIndex: number;
	saved: unknown;
}

/** A field of an order that can be left out. */
export interface OrderField {
	field: INodeProperties;
	/** Where the value stands in the body of the request. */
	path: string[];
	/** The types of reports that take the field. @default all */
	types?: string[];
	/** Returns the value as it is sent, or undefined for an empty one. */
	read(value: unknown, origin: Origin): Sent | undefined;
}

const BANKING = Object.keys(REPORT_TYPES).filter((type) => REPORT_TYPES[type].source === 'banking');

function textPart(
	name: string,
	displayName: string,
	path: string[],
	more: Pick<INodeProperties, 'description' | 'placeholder'>,
): OrderField {
	return {
		field: { displayName, name, type: 'string', default: '', ...more },
		path,
		read(value, { context, itemIndex, saved }) {
			if (isLeftOutByModel(saved, value) || isLeftOver(context, itemIndex, saved, value)) return undefined;
			return readOptionalText(value, displayName) || undefined;
		},
	};
}

function dateField(name: string, displayName: string, types: string[], description: string, key: string): OrderField {
	return {
		field: { displayName, name, type: 'dateTime', default: '', description },
		path: ['report', 'configuration', key],
		types,
		read: (value, { context }) => (isNothing(value) ? undefined : readDate(value, displayName, context.getTimezone())),
	};
}

/**
 * Argyle's documentation says this of the fields. It is not known whether Argyle refuses or ignores them in
 * verifications for the government.
 */
const NOT_FOR_GOVERNMENT = 'For payroll and mortgage verifications, not for the government';

/** The fields for the loan that the verification is for, and for who pays. Their values can be changed later. */
export const LOAN_FIELDS: OrderField[] = [
	textPart('applicationId', 'Application ID', ['loan', 'application_id'], {
		placeholder: 'e.g. A1',
		description: `Your ID of the application for the loan. ${NOT_FOR_GOVERNMENT}.`,
	}),
	textPart('borrowerId', 'Borrower ID', ['loan', 'borrower_id'], {
		placeholder: 'e.g. B1',
		description: `Your ID of the borrower. ${NOT_FOR_GOVERNMENT}.`,
	}),
	textPart('costCenter', 'Cost Center', ['billing', 'cost_center'], {
		placeholder: 'e.g. 5',
		description: `The cost center under which the verification appears on Argyle's bill. ${NOT_FOR_GOVERNMENT}.`,
	}),
	textPart('loanNumber', 'Loan Number', ['loan', 'number'], {
		placeholder: 'e.g. 4711',
		description: `The number of the loan, by which verifications are found again. ${NOT_FOR_GOVERNMENT}.`,
	}),
	{
		...textPart('officerEmail', 'Officer Email', ['loan', 'officer_email'], {
			placeholder: 'e.g. officer@example.com',
			description: `The e-mail address of the loan officer. ${NOT_FOR_GOVERNMENT}.`,
		}),
		read: (value) => readEmailAddress(value, 'Officer Email') || undefined,
	},
];

const MAX_CONFIDENCE = 100;

/** The fields that only reports from bank accounts take. */
export const BANKING_FIELDS: OrderField[] = [
	{
		field: textField(
			'Bank Account IDs',
			'bankAccounts',
			'e.g. 0187c66e-e7e5-811c-b006-2232f00f426a',
			'The IDs of the bank accounts to use, separated by commas. If this is empty, all connected ones are used.',
		),
		path: ['report', 'configuration', 'bank_accounts'],
		types: BANKING,
		read(value, { saved }) {
			const ids = readTexts(value, 'Bank Account IDs');
			if (ids.length > 0) return ids;
			if (value === '' && !isExpression(saved)) return undefined;
			throw refused(
				'Bank Account IDs has no value',
				'Its expression gives nothing, and without IDs all bank accounts would be used. Correct it, or remove the field.',
			);
		},
	},
	{
		field: customFieldsField,
		path: ['report', 'configuration', 'report_custom_fields'],
		types: BANKING,
		read: readCustomFields,
	},
	dateField(
		'fromDate',
		'From Date',
		['voa', 'voai', 'voi'],
		'How far back assets or income are looked at',
		'from_date',
	),
	dateField(
		'incomeFromDate',
		'Income From Date',
		['voai'],
		'How far back income is looked at, if that differs from assets',
		'income_from_date',
	),
	{
		field: {
			displayName: 'Minimum Income Confidence',
			name: 'incomeConfidence',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: MAX_CONFIDENCE, numberPrecision: 0 },
			default: 50,
			description: 'From 0 to 100. The report leaves out income of which Argyle is less sure.',
		},
		path: ['report', 'configuration', 'income_stream_confidence_minimum'],
		types: ['voi', 'voai'],
		read(value) {
			const text = readOptionalText(value, 'Minimum Income Confidence');
			if (text === '') return undefined;
			if (/^\d+$/.test(text) && Number(text) <= MAX_CONFIDENCE) return Number(text);
			throw refused(
				'Minimum Income Confidence is not a whole number from 0 to 100',
				'Enter one such as 50, or remove the field.',
			);
		},
	},
];

const DIVISIONS = { retail: 'Retail', wholesale: 'Wholesale' };

/** The fields that only an order takes, beside the fields above, and that a refresh doesn't. */
export const ORDER_FIELDS: OrderField[] = [
	{
		field: {
			displayName: 'Division',
			name: 'division',
			type: 'options',
			default: 'retail',
			options: Object.entries(DIVISIONS).map(([value, name]) => ({ name, value })),
			description: `The loan's division, which can't be changed later. ${NOT_FOR_GOVERNMENT}.`,
		},
		path: ['loan', 'division'],
		read: (value) => (isNothing(value) ? undefined : readChoice(value, 'Division', DIVISIONS)),
	},
	{
		field: textField(
			'Notify',
			'notify',
			'e.g. team@example.com',
			'E-mail addresses, separated by commas, to which Argyle writes how the verification is going',
		),
		path: ['configuration', 'notified_recipients'],
		read(value) {
			const recipients = readEmailAddresses(value, 'Notify');
			return recipients.length === 0 ? undefined : recipients;
		},
	},
	{
		field: {
			displayName: 'Self-Certification',
			name: 'selfCertification',
			type: 'boolean',
			default: true,
			description: 'Whether the person has to certify the income themselves',
		},
		path: ['report', 'self_certification'],
		types: ['voie-government'],
		read: (value) => readBoolean(value, 'Self-Certification'),
	},
];

/** Returns the fields as options of a collection. The node must have the field `reportType` beside this collection. */
export const shownFields = (fields: OrderField[]): INodeProperties[] =>
	fields
		.map((each) => {
			const { field, types } = each;
			const show = {
				...(types && { '/reportType': types }),
				...(ORDER_FIELDS.includes(each) && { '/operation': ['order'] }),
			};
			return Object.keys(show).length === 0 ? field : { ...field, displayOptions: { show } };
		})
		.sort((one, other) => one.displayName.localeCompare(other.displayName));

/** Returns a copy of a body, with a value at a path. */
function withValue(body: IDataObject, [key, ...rest]: string[], value: Sent): IDataObject {
	const inner = body[key];
	return { ...body, [key]: rest.length === 0 ? value : withValue(isDataObject(inner) ? inner : {}, rest, value) };
}

/**
 * Returns what was entered in a collection, as the body of a request. Throws ArgyleError when a value can't be read, or
 * when the type of report does not take its field.
 */
export function readOrderFields(
	context: IExecuteFunctions,
	itemIndex: number,
	fields: OrderField[],
	collection: 'additionalFields' | 'updateFields',
	reportType?: string,
): IDataObject {
	const values = context.getNodeParameter(collection, itemIndex, {});
	const saved = context.getNodeParameter(collection, itemIndex, {}, { rawExpressions: true });
	let body: IDataObject = {};
	for (const { field, path, types, read } of fields) {
		if (!(field.name in values)) continue;
		const isTaken = types === undefined || reportType === undefined || types.includes(reportType);
		// If a table has orders of several types, the cells for what a type does not take are empty.
		if (!isTaken && isNothing(values[field.name])) continue;
		const value = read(values[field.name], { context, itemIndex, saved: saved[field.name] });
		if (value === undefined) continue;
		if (!isTaken) {
			throw refused(
				`${field.displayName} is not for this report type`,
				`Only ${types.map((type) => REPORT_TYPES[type].name).join(', ')} takes it. Remove the field.`,
			);
		}
		body = withValue(body, path, value);
	}
	return body;
}
