import type { GenericValue, IDataObject } from 'n8n-workflow';

import { refused } from '../transport/errors';
import { isNothing, unquoted } from '../utils/coerce';
import { isDataObject, parseJson } from '../utils/json';
import { readText } from './parameters';
import { readDay } from './readDate';

const readUnquoted = (value: unknown, fieldName: string) => unquoted(readText(value, fieldName));

const ADDRESS: Record<string, [query: string, displayName: string]> = {
	line1: ['line1', 'Line 1'],
	line2: ['line2', 'Line 2'],
	city: ['city', 'City'],
	state: ['state', 'State'],
	postalCode: ['postal_code', 'Postal Code'],
	country: ['country', 'Country'],
};

/** `value` is a group of fields as n8n has it; undefined when all of them are empty. */
function readAddress(value: unknown): IDataObject | undefined {
	const group = isDataObject(value) && isDataObject(value.value) ? value.value : {};
	const address: IDataObject = {};
	for (const [name, [key, displayName]] of Object.entries(ADDRESS)) {
		if (!isNothing(group[name])) address[key] = readUnquoted(group[name], `${displayName} of Address`);
	}
	const { country } = address;
	if (typeof country === 'string') {
		if (!/^[a-z]{2}$/i.test(country))
			throw refused(`Country of Address can't be "${country}"`, 'Enter its two letters, such as US.');
		address.country = country.toUpperCase();
	}
	return Object.keys(address).length === 0 ? undefined : address;
}

const EARLIEST_YEAR = 1900;

/** Argyle takes three numbers. */
function readBirthDate(value: unknown, timeZone: string): IDataObject {
	const [year, month, day] = readDay(value, 'Birth Date', timeZone).split('-').map(Number);
	if (year >= EARLIEST_YEAR) return { year, month, day };
	throw refused(
		'Birth Date is too long ago',
		`Argyle takes years from ${EARLIEST_YEAR} on: check the order of its parts.`,
	);
}

/** Any JSON value, or text that holds one: other programs also write lists and texts as metadata. */
function readJson(value: unknown): GenericValue {
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	const isText = typeof parsed === 'string';
	if (isText || typeof parsed === 'object' || typeof parsed === 'number' || typeof parsed === 'boolean') return parsed;
	throw refused('Metadata is no JSON', 'Enter an object such as {"stage": "2"}, or another JSON value.');
}

/** Throws ArgyleError unless it is a JSON object, or text that holds one. */
export function readMetadata(value: unknown): IDataObject {
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isDataObject(parsed)) return parsed;
	throw refused('Metadata is no JSON object', 'Enter one such as {"stage": "2"}.');
}

const TEXTS: Record<string, [key: string, displayName: string]> = {
	firstName: ['first_name', 'First Name'],
	lastName: ['last_name', 'Last Name'],
	email: ['email', 'Email'],
	phoneNumber: ['phone_number', 'Phone Number'],
	externalId: ['external_id', 'External ID'],
	ssn: ['ssn', 'Social Security Number'],
};

/**
 * Returns the body of POST and PATCH /v2/users, with exactly the fields of the node that have a value. Throws
 * ArgyleError when a field can't be read.
 */
export function userRequest(entered: unknown, timeZone: string): IDataObject {
	const fields = isDataObject(entered) ? entered : {};
	const body: IDataObject = {};
	for (const [name, [key, displayName]] of Object.entries(TEXTS))
		if (!isNothing(fields[name])) body[key] = readUnquoted(fields[name], displayName);
	if (!isNothing(fields.birthDate)) body.birth_date = readBirthDate(fields.birthDate, timeZone);
	const address = readAddress(fields.address);
	if (address !== undefined) body.address = address;
	if (!isNothing(fields.metadata)) body.external_metadata = readJson(fields.metadata);
	return body;
}
