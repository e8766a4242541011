import { type IDataObject, type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import { refused } from '../transport/errors';
import { isCellError } from '../utils/cellText';
import { asBoolean, asPositiveInteger, isNothing, shortened, unquoted } from '../utils/coerce';
import { isDataObject, parseJson } from '../utils/json';
import { EXAMPLE_UUID, isId, isSampleId, isUuid, UUID_PATTERN } from '../utils/ids';
import { confirmDeletionField } from './fields';
import { isTool } from './nodeError';

/** Returns the item's Limit, or Infinity if Return All is on. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (readBoolean(context.getNodeParameter('returnAll', itemIndex, false), 'Return All')) return Infinity;
	return readPositiveInteger(
		context.getNodeParameter('limit', itemIndex),
		'Limit',
		'how many results you want, such as 50',
	);
}

/** `advice` completes "Enter …". */
export function readPositiveInteger(value: unknown, fieldName: string, advice: string): number {
	const number = asPositiveInteger(value);
	if (number !== undefined) return number;
	throw refused(`${fieldName} is not a positive whole number`, `Enter ${advice}.`);
}

/** Throws ArgyleError when it is not clear whether the value means on or off. */
export function readBoolean(value: unknown, fieldName: string): boolean {
	const isOn = asBoolean(value);
	if (isOn !== undefined) return isOn;
	throw refused(`${fieldName} is neither on nor off`, 'Let its expression give true or false.');
}

/**
 * Reads an option that shows data which is hidden by default. Throws ArgyleError when the option is neither on nor off.
 * In an agent's tool, it also throws when the option is an expression, because `$json` and the like hold what the model
 * gave.
 */
export function readDisclosure(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	displayName: string,
): boolean {
	const saved: unknown = context.getNodeParameter(`options.${name}`, itemIndex, false, { rawExpressions: true });
	if (isTool(context.getNode()) && isExpression(saved)) {
		throw refused(
			`${displayName} can't be an expression in a tool`,
			'Only a person decides what a model may see: set it to on or off by hand.',
		);
	}
	return readBoolean(context.getNodeParameter(`options.${name}`, itemIndex, false), displayName);
}

/**
 * Reads an option for a delivery, where no error would reach a person. An option may protect something, so a value
 * counts as off only if it is clearly off. `unset` is the result for an option that was not added.
 */
export function isOn(options: IDataObject, name: string, unset = false): boolean {
	return name in options ? asBoolean(options[name]) !== false : unset;
}

/** Says what a field holds in place of what was expected. */
export function whatIsThere(value: unknown): string {
	if (Array.isArray(value)) return 'There is a list.';
	if (isDataObject(value) && !(value instanceof Date)) return 'There is an object.';
	return `There is "${shortened(value)}".`;
}

/** Says what the field holds in place of an ID, and how to find the right one. */
function insteadOfId(value: unknown): string {
	const count = typeof value === 'string' ? (value.match(new RegExp(UUID_PATTERN, 'g'))?.length ?? 0) : 0;
	if (count > 1) return `There are ${count} IDs in the field: give one, or one for each item.`;
	return `${whatIsThere(value)} Get Many shows the IDs that exist. To search by name or e-mail address, choose From List if the field offers it.`;
}

/** Returns the ID as Argyle writes it. Throws ArgyleError, before any request, when the value is missing or no UUID. */
export function readUuid(value: unknown, fieldName: string): string {
	return readChecked(value, fieldName, isUuid).toLowerCase();
}

/** As `readUuid`, for records whose IDs are not always UUIDs. */
export function readId(value: unknown, fieldName: string): string {
	const id = readChecked(value, fieldName, isId);
	return isUuid(id) ? id.toLowerCase() : id;
}

/**
 * Returns the ID that was chosen or typed in a field. `read` is `readId` for records whose IDs are not always UUIDs.
 */
export function readChosenId(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
	read = readUuid,
): string {
	return read(context.getNodeParameter(name, itemIndex, '', { extractValue: true }), displayName);
}

/** The advice for a person whose item has the IDs of a sample. */
export const WITHOUT_SAMPLE =
	'Let such an event happen at Argyle, and execute the trigger again. If the sample is pinned there, as in the example workflows, unpin it first (select the trigger, press P).';

function readChecked(value: unknown, fieldName: string, isValid: (text: unknown) => text is string): string {
	const text = typeof value === 'string' ? unquoted(value) : value;
	if (isValid(text)) {
		if (!isSampleId(text)) return text;
		throw refused(`${fieldName} is the ID of a sample, which Argyle doesn't have`, WITHOUT_SAMPLE);
	}
	if (isNothing(text)) {
		throw refused(`${fieldName} is missing`, `Choose an entry in ${fieldName}, or give its ID.`);
	}
	throw refused(`${fieldName} is not a valid ID`, `An ID at Argyle looks like ${EXAMPLE_UUID}. ${insteadOfId(text)}`);
}

/**
 * Returns the text without blanks around it, which may be ''. Throws ArgyleError when an expression gives no text, or
 * when a table shows this text in place of a value.
 */
export function readText(value: unknown, fieldName: string): string {
	if (typeof value === 'string') {
		const text = value.trim();
		if (!isCellError(text)) return text;
		throw refused(
			`${fieldName} is "${shortened(text)}", which a table shows in place of a value`,
			'Correct the cell, or leave out such items before this step.',
		);
	}
	if (typeof value === 'number' && !Number.isNaN(value)) return String(value);
	throw refused(
		`${fieldName} is no text`,
		'Its expression gives nothing, or something other than text. Correct it, or remove the field.',
	);
}

/** As `readText`, but also returns '' for a field that was left out, or for an empty cell of a table. */
export function readOptionalText(value: unknown, fieldName: string): string {
	return value === undefined || value === null ? '' : readText(value, fieldName);
}

/** As `readOptionalText`, but throws ArgyleError when the text is empty. `advice` completes "Enter …". */
export function readRequiredText(value: unknown, fieldName: string, advice: string): string {
	const text = readOptionalText(value, fieldName);
	if (text !== '') return text;
	throw refused(`${fieldName} is missing`, `Enter ${advice}.`);
}

/**
 * Returns several texts. They come as a list, or as one text with commas, line breaks or JSON, because expressions and
 * language models give them so. Of an entry that was chosen from n8n's list, the value counts.
 */
export function readTexts(value: unknown, fieldName: string): string[] {
	const text = typeof value === 'string' ? value.trim() : undefined;
	const parsed = text?.startsWith('[') ? parseJson(text) : undefined;
	const list: unknown[] = [parsed ?? text?.split(/[,\n]/) ?? value].flat();
	return list
		.map((entry) => readOptionalText(isDataObject(entry) && 'value' in entry ? entry.value : entry, fieldName))
		.map(unquoted)
		.filter((entry) => entry !== '');
}

/** For a filter of which Argyle takes only one value. A request with several values would find nothing. */
export function onlyOne(values: string[], fieldName: string): string {
	if (values.length === 1) return values[0];
	throw refused(
		`The filter ${fieldName} takes one value`,
		`There are ${values.length}. Let each item give one of them, or filter what comes out with a Filter node.`,
	);
}

/** `what` completes "all data of …". Throws ArgyleError while the switch is off. */
export function readConfirmation(context: IExecuteFunctions, itemIndex: number, what: string): void {
	const { displayName, name } = confirmDeletionField;
	const saved: unknown = context.getNodeParameter(name, itemIndex, false, { rawExpressions: true });
	if (isTool(context.getNode()) && isExpression(saved)) {
		throw refused(
			`${displayName} can't be an expression in a tool`,
			'Only a person decides what a model may erase: set it to on or off by hand.',
		);
	}
	if (readBoolean(context.getNodeParameter(name, itemIndex, false), displayName)) return;
	throw refused(
		`Nothing was erased, because ${displayName} is off`,
		`Turn it on if all data of ${what} may be erased: nobody can bring it back.`,
	);
}

/**
 * Returns one of Argyle's values in Argyle's spelling. People and language models also write it in another case, such
 * as "w-2" or "VOIE". Throws ArgyleError when the text is none of the values or their names. `choices` maps each value
 * to the name that people read.
 */
export function readChoice(value: unknown, fieldName: string, choices: Record<string, string>): string {
	const text = unquoted(String(value ?? ''));
	const known = Object.entries(choices).find((names) =>
		names.some((name) => name.toLowerCase() === text.toLowerCase()),
	);
	if (known !== undefined) return known[0];
	throw refused(
		text === '' ? `${fieldName} is missing` : `${fieldName} can't be "${shortened(text)}"`,
		`Choose from the list, or let its expression give one of ${Object.keys(choices).join(', ')}.`,
	);
}
