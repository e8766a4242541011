import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';
import { asBoolean, asPositiveInteger, unquoted } from '../utils/coerce';
import { isDataObject, parseJson } from '../utils/json';
import { EXAMPLE_UUID, isId, isSampleId, isUuid, UUID_PATTERN } from '../utils/ids';
import { confirmDeletionField } from './fields';

/** The item's Limit, Infinity for Return All. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (readBoolean(context.getNodeParameter('returnAll', itemIndex, false), 'Return All')) return Infinity;
	return readPositiveInteger(
		context.getNodeParameter('limit', itemIndex),
		'Limit',
		'how many results you want, such as 50',
	);
}

/**
 * From ISO or SQL text, a Date or a Luxon DateTime. A time without an offset, as n8n's date picker stores it, is one of
 * `timeZone`; else it keeps its own. Text that can mean two dates, such as 11/01/2026, is refused.
 */
function readTime(value: unknown, fieldName: string, timeZone: string): DateTime<true> {
	const text = String(value).trim();
	const zone = { zone: timeZone, setZone: true };
	const readings =
		value instanceof Date
			? [DateTime.fromJSDate(value, { zone: timeZone })]
			: [DateTime.fromISO(text, zone), DateTime.fromSQL(text, zone)];
	const time = readings.find((reading): reading is DateTime<true> => reading.isValid);
	if (time !== undefined) return time;
	throw new ArgyleError(
		`${fieldName} is not a date`,
		'Enter a date such as 2026-11-01, with a time 2026-11-01 09:30. Nothing was sent to Argyle.',
	);
}

/** A time as Argyle takes it: ISO 8601 in UTC. */
export function readDate(value: unknown, fieldName: string, timeZone: string): string {
	return readTime(value, fieldName, timeZone).toUTC().toISO();
}

/** A day as the calendar shows it where the time was entered, such as 2026-11-01. */
export function readDay(value: unknown, fieldName: string, timeZone: string): string {
	return readTime(value, fieldName, timeZone).toISODate();
}

/** Without this check, an expression that gives nothing would bring the records of all people. */
export function assertFilterGiven(value: unknown, { displayName }: { displayName: string }): void {
	if (value !== undefined && value !== null) return;
	throw new ArgyleError(
		`The filter ${displayName} has no value`,
		'Its expression gives nothing. Correct it, or remove the filter. Nothing was sent to Argyle.',
	);
}

type NamedTime = [displayName: string | undefined, time: unknown];

/** Throws ArgyleError when both times are given, as `readDate` gives them, and the first is the later one. */
export function assertInOrder([from, start]: NamedTime, [to, end]: NamedTime): void {
	if (typeof start !== 'string' || typeof end !== 'string' || Date.parse(start) <= Date.parse(end)) return;
	throw new ArgyleError(
		`${from} is later than ${to}`,
		'Nothing can be in between: exchange the two dates. Nothing was sent to Argyle.',
	);
}

/** `advice` completes "Enter …". */
export function readPositiveInteger(value: unknown, fieldName: string, advice: string): number {
	const number = asPositiveInteger(value);
	if (number !== undefined) return number;
	throw new ArgyleError(`${fieldName} is not a positive whole number`, `Enter ${advice}. Nothing was sent to Argyle.`);
}

/** Refuses what leaves it open whether on or off is meant. */
export function readBoolean(value: unknown, fieldName: string): boolean {
	const isOn = asBoolean(value);
	if (isOn !== undefined) return isOn;
	throw new ArgyleError(
		`${fieldName} is neither on nor off`,
		'Let its expression give true or false. Nothing was sent to Argyle.',
	);
}

const asksModel = (saved: unknown) => /\$fromAI\b/i.test(JSON.stringify(saved ?? ''));

/**
 * Reads the option that shows what is otherwise kept back. Throws ArgyleError when it is neither on nor off, or when a
 * language model would decide it.
 */
export function readDisclosure(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	displayName: string,
): boolean {
	const saved: unknown = context.getNodeParameter(`options.${name}`, itemIndex, false, { rawExpressions: true });
	if (asksModel(saved)) {
		throw new ArgyleError(
			`${displayName} is left to the model to decide`,
			'What a model may see, only a person decides: set it to on or off in the tool. Nothing was sent to Argyle.',
		);
	}
	return readBoolean(context.getNodeParameter(`options.${name}`, itemIndex, false), displayName);
}

/**
 * For deliveries, where nothing can be refused in words: a setting that is given is off only when that is certain,
 * because it may be a protection.
 */
export function isOn(options: IDataObject, name: string, unset = false): boolean {
	return name in options ? asBoolean(options[name]) !== false : unset;
}

const isLeftEmpty = (value: unknown) =>
	['', 'null', 'undefined', 'none'].includes(unquoted(String(value ?? '')).toLowerCase());

/**
 * The item's Filters without those that a language model was asked for, and left empty. Any other whose expression
 * gives nothing stays, to be refused.
 */
export function readFilterValues(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const values = context.getNodeParameter('filters', itemIndex, {});
	const saved: unknown = context.getNodeParameter('filters', itemIndex, {}, { rawExpressions: true });
	const isAsked = (name: string) => isDataObject(saved) && asksModel(saved[name]);
	const given = Object.entries(values).filter(
		([name, value]) => !(isAsked(name) && isLeftEmpty(isDataObject(value) ? value.value : value)),
	);
	return Object.fromEntries(given);
}

const MAX_QUOTED = 40;

/** Says what the field holds in place of an ID, and how to find the right one. */
function whatIsThere(text: string): string {
	const count = text.match(new RegExp(UUID_PATTERN, 'g'))?.length ?? 0;
	if (count > 1) return `There are ${count} IDs in the field: give one, or one for each item.`;
	const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
	return `There is "${quoted}". Get Many tells those that there are; for a name or an e-mail address, choose From List where the field has it.`;
}

/** An ID as Argyle writes it. What is missing or no UUID is refused, so that no request is made for nothing. */
export function readUuid(value: unknown, fieldName: string): string {
	return readChecked(value, fieldName, isUuid).toLowerCase();
}

/** As `readUuid`, for records whose IDs are not always UUIDs. */
export function readId(value: unknown, fieldName: string): string {
	return readChecked(value, fieldName, isId);
}

function readChecked(value: unknown, fieldName: string, isValid: (text: unknown) => text is string): string {
	const text = typeof value === 'string' ? unquoted(value) : value;
	if (isValid(text)) {
		if (!isSampleId(text)) return text;
		throw new ArgyleError(
			`${fieldName} is the ID of a sample, which Argyle doesn't have`,
			'Unpin the sample at the trigger (select the trigger, press P), and submit a form. Nothing was sent to Argyle.',
		);
	}
	if (text === '' || text === undefined || text === null) {
		throw new ArgyleError(
			`${fieldName} is missing`,
			`Choose an entry in ${fieldName}, or give its ID. Nothing was sent to Argyle.`,
		);
	}
	throw new ArgyleError(
		`${fieldName} is not a valid ID`,
		`An ID at Argyle looks like ${EXAMPLE_UUID}. ${whatIsThere(String(text))} Nothing was sent to Argyle.`,
	);
}

/** Text without blanks around it; '' when it is empty. Throws ArgyleError when an expression gives no text. */
export function readText(value: unknown, fieldName: string): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	throw new ArgyleError(
		`${fieldName} is no text`,
		'Its expression gives nothing, or something else than text. Correct it, or remove the field. Nothing was sent to Argyle.',
	);
}

/** As `readText`, for a field that may be left out: a table has empty cells. */
export function readOptionalText(value: unknown, fieldName: string): string {
	return value === undefined || value === null ? '' : readText(value, fieldName);
}

/** As `readText`. Throws ArgyleError when it is empty, too; `advice` completes "Enter …". */
export function readRequiredText(value: unknown, fieldName: string, advice: string): string {
	const text = readOptionalText(value, fieldName);
	if (text !== '') return text;
	throw new ArgyleError(`${fieldName} is missing`, `Enter ${advice}. Nothing was sent to Argyle.`);
}

/**
 * Several texts: a list, or one text with commas, lines or JSON in it, as expressions and language models give them.
 * Entries chosen from a list count by their value.
 */
export function readTexts(value: unknown, fieldName: string): string[] {
	const text = typeof value === 'string' ? value.trim() : '';
	const parsed = text.startsWith('[') ? parseJson(text) : undefined;
	const list: unknown[] = Array.isArray(value) ? value : Array.isArray(parsed) ? parsed : text.split(/[,\n]/);
	return list
		.map((entry) => readOptionalText(isDataObject(entry) ? entry.value : entry, fieldName))
		.filter((entry) => entry !== '');
}

/** `what` completes "all data of …". Throws ArgyleError while the switch is off. */
export function readConfirmation(context: IExecuteFunctions, itemIndex: number, what: string): void {
	const { displayName, name } = confirmDeletionField;
	if (readBoolean(context.getNodeParameter(name, itemIndex, false), displayName)) return;
	throw new ArgyleError(
		`Nothing was erased, because ${displayName} is off`,
		`Turn it on if all data of ${what} may be erased: nobody can bring it back. Nothing was sent to Argyle.`,
	);
}

/**
 * One of the values that Argyle knows, in its spelling: people and language models write "w-2" or "VOIE". Throws
 * ArgyleError when it is none; `choices` are what people read, by value.
 */
export function readChoice(value: unknown, fieldName: string, choices: Record<string, string>): string {
	const text = unquoted(String(value ?? ''));
	const known = Object.entries(choices).find((names) =>
		names.some((name) => name.toLowerCase() === text.toLowerCase()),
	);
	if (known !== undefined) return known[0];
	throw new ArgyleError(
		text === '' ? `${fieldName} is missing` : `${fieldName} can't be "${text}"`,
		`Choose from the list, or let its expression give one of ${Object.keys(choices).join(', ')}. Nothing was sent to Argyle.`,
	);
}
