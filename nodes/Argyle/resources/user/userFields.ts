import type { GenericValue, IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { MASK } from '../../api/sensitiveFields';
import { readEmailAddress } from '../../shared/addresses';
import { readOptionalExternalId } from '../../shared/externalId';
import { textField } from '../../shared/fields';
import { isLeftOver } from '../../shared/leftOver';
import { readText } from '../../shared/parameters';
import { readPersonName } from '../../shared/personName';
import { readDay } from '../../shared/readDate';
import { withoutLeftOut } from '../../shared/readFilterValues';
import { refused } from '../../transport/errors';
import { isNothing, shortened, unquoted } from '../../utils/coerce';
import { isDataObject, parseJson } from '../../utils/json';
import { internationalNumber } from '../../utils/phoneNumber';

const addressParts: INodeProperties[] = [
	textField('Line 1', 'line1', 'e.g. 1 Example Way', 'Street and number'),
	textField('Line 2', 'line2', 'e.g. Apt 2', 'Apartment, floor or the like'),
	textField('City', 'city', 'e.g. New York', 'The city'),
	textField('State', 'state', 'e.g. NY', 'The state'),
	textField('Postal Code', 'postalCode', 'e.g. 10014', 'The postal code'),
	textField('Country', 'country', 'e.g. US', 'The two letters of the country'),
];

/** What people can enter about a user, when they create the user and when they update the user. */
export const userFields: INodeProperties[] = [
	{
		displayName: 'Address',
		name: 'address',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add address',
		description: 'Where the person lives. Enter the whole address: Argyle may erase the parts that you leave out.',
		options: [{ displayName: 'Address', name: 'value', values: addressParts }],
	},
	{
		displayName: 'Birth Date',
		name: 'birthDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		description: 'The birth date of the person, such as 1980-10-30',
	},
	textField('Email', 'email', 'e.g. alex@example.com', 'The e-mail address of the person. Nothing is sent to it.'),
	textField('External ID', 'externalId', 'e.g. crm-1001', 'Your own ID of the person, by which they are found again'),
	textField('First Name', 'firstName', 'e.g. Alex', 'The first name of the person'),
	textField('Last Name', 'lastName', 'e.g. Sample', 'The last name of the person'),
	{
		displayName: 'Metadata',
		name: 'metadata',
		type: 'json',
		default: '{}',
		description:
			'Data of your own, as JSON; verifications from bank accounts need an object. An update keeps the keys that you leave out, but replaces nested objects as a whole.',
	},
	textField(
		'Phone Number',
		'phoneNumber',
		'e.g. +12125550123',
		'The phone number of the person. Ten digits are a number in the USA; any other needs the code of its country.',
	),
	{
		displayName: 'Social Security Number',
		name: 'ssn',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		placeholder: 'e.g. 000-00-0000',
		description: 'The social security number of the person',
	},
];

/** Argyle's name of a field, such as `postal_code` for `postalCode`. */
const keyOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** How the fields are read that are more than a text. */
const READERS: Record<string, typeof readText | undefined> = {
	email: readEmailAddress,
	firstName: readPersonName,
	lastName: readPersonName,
};

/** Returns the texts that are not empty, by Argyle's names. `place` says in messages where the fields are. */
function readTexts(fields: INodeProperties[], values: IDataObject, place = ''): IDataObject {
	const texts: IDataObject = {};
	for (const { name, displayName, type } of fields) {
		if (type !== 'string' || isNothing(values[name])) continue;
		const read = READERS[name] ?? readText;
		const text = unquoted(read(values[name], `${displayName}${place}`));
		if (text !== '') texts[keyOf(name)] = text;
	}
	return texts;
}

/**
 * Reads an address from a group of fields as n8n gives it. Returns undefined if Line 1, City and Postal Code are all
 * empty. A country or state is often the same in all rows of a table. In a row whose other cells are empty, the
 * country or state alone would replace the person's whole address.
 */
function readAddress(value: unknown): IDataObject | undefined {
	const group = isDataObject(value) && isDataObject(value.value) ? value.value : {};
	const address = readTexts(addressParts, group, ' of Address');
	const { country } = address;
	if (typeof country === 'string') {
		if (!/^[a-z]{2}$/i.test(country))
			throw refused(`Country of Address can't be "${shortened(country)}"`, 'Enter its two letters, such as US.');
		address.country = country.toUpperCase();
	}
	const { postal_code: zip } = address;
	// A table that keeps postal codes as numbers drops their zeros at the beginning.
	if (address.country === 'US' && typeof zip === 'string' && /^\d{3,4}$/.test(zip))
		address.postal_code = zip.padStart(5, '0');
	return ['line1', 'city', 'postal_code'].some((part) => part in address) ? address : undefined;
}

const EARLIEST_YEAR = 1900;

/** Returns the year, the month and the day as numbers, because Argyle takes a birth date in this form. */
function readBirthDate(value: unknown, timeZone: string): IDataObject {
	const date = readDay(value, 'Birth Date', timeZone);
	const [year, month, day] = date.split('-').map(Number);
	if (Date.parse(date) > Date.now()) {
		throw refused(
			'Birth Date is in the future',
			'A year of two digits, such as 55, is read as one of this century: use dates whose year has four digits.',
		);
	}
	if (year >= EARLIEST_YEAR) return { year, month, day };
	throw refused(
		'Birth Date is too long ago',
		`Argyle takes years from ${EARLIEST_YEAR} on: check whether day, month and year are in the right order.`,
	);
}

/** The message doesn't repeat what was entered. */
function assertSocialSecurityNumber(ssn: IDataObject[string]): void {
	if (/^\d{9}$/.test(String(ssn).replace(/[-. ]/g, ''))) return;
	throw refused(
		'Social Security Number does not have nine digits',
		'A column of numbers loses the zeros at their beginning: make it a column of text. What another step put out as ••• is not the number.',
	);
}

/** Reads any JSON value, or text that holds one, because other programs also write lists and texts as metadata. */
function readJson(value: unknown): GenericValue {
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	const isText = typeof parsed === 'string';
	if (isText || typeof parsed === 'object' || typeof parsed === 'number' || typeof parsed === 'boolean') return parsed;
	throw refused('Metadata is no JSON', 'Enter an object such as {"stage": "2"}, or another JSON value.');
}

/** As `readJson`, but returns undefined if nothing was entered. A field into which nobody has written holds {}. */
function readOwnData(value: unknown): GenericValue | undefined {
	// An object is not passed to `isNothing`. If the object had a key such as "value", `isNothing` would take it for a
	// choice in a list.
	if (!isDataObject(value) && isNothing(value)) return undefined;
	const data = readJson(value);
	if (JSON.stringify(data).includes(MASK)) {
		throw refused(
			'Metadata has a hidden value',
			`Another step put out ${MASK} in its place, which would overwrite it at Argyle. Send only the keys that are to change, or add Include Sensitive Data to that step.`,
		);
	}
	return isDataObject(data) && Object.keys(data).length === 0 ? undefined : data;
}

/**
 * Returns undefined if nothing was entered. Throws ArgyleError when the value is neither a JSON object nor text that
 * holds one.
 */
export function readMetadata(value: unknown): IDataObject | undefined {
	if (!isDataObject(value) && isNothing(value)) return undefined;
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isDataObject(parsed)) return parsed;
	throw refused('Metadata is no JSON object', 'Enter one such as {"stage": "2"}.');
}

/**
 * Returns the body of POST and PATCH /v2/users, with exactly the fields of the collection that have a value. Throws
 * ArgyleError when a field can't be read.
 */
export function readUserFields(context: IExecuteFunctions, itemIndex: number, collection: string): IDataObject {
	const entered: unknown = context.getNodeParameter(collection, itemIndex, {});
	const raw: unknown = context.getNodeParameter(collection, itemIndex, {}, { rawExpressions: true });
	const saved = isDataObject(raw) ? raw : {};
	const values = isDataObject(entered) ? withoutLeftOut(entered, saved) : {};
	for (const [name, value] of Object.entries(values)) {
		if (isLeftOver(context, itemIndex, saved[name], value)) delete values[name];
	}
	const given = { fieldName: 'External ID', value: values.externalId, saved: saved.externalId };
	values.externalId = readOptionalExternalId(context, itemIndex, given);
	const body = readTexts(userFields, values);
	// The number is put into the form that an invite has, so that one column of a sheet can serve both. A number that
	// can't be put into it is sent as it is, and Argyle decides.
	if (typeof body.phone_number === 'string')
		body.phone_number = internationalNumber(body.phone_number) ?? body.phone_number;
	if (body.ssn !== undefined) assertSocialSecurityNumber(body.ssn);
	if (!isNothing(values.birthDate)) body.birth_date = readBirthDate(values.birthDate, context.getTimezone());
	const address = readAddress(values.address);
	if (address !== undefined) body.address = address;
	const metadata = readOwnData(values.metadata);
	if (metadata !== undefined) body.external_metadata = metadata;
	return body;
}
