import { type IExecuteFunctions, isExpression } from 'n8n-workflow';

import { refused } from '../transport/errors';
import { hasLostDigits, hasMissingPart, isPlaceholder, visibleText } from '../utils/cellText';
import { isNothing, shortened, unquoted } from '../utils/coerce';
import { missingIn } from './leftOver';
import { readRequiredText, readText } from './parameters';

const LEAVE_OUT = 'Leave out such items before this step';

const notAnId = (fieldName: string, text: string) =>
	refused(
		`${fieldName} is "${shortened(text)}", which is no ID of a person`,
		`It stands where a value is missing, so several people could have it. ${LEAVE_OUT}, or correct the column.`,
	);

const lostDigits = (fieldName: string, value: unknown) =>
	refused(
		`${fieldName} has lost digits`,
		`There is ${shortened(value)}, which several people could have. A number keeps 15 digits only: format the column as text, or give the ID as text.`,
	);

/**
 * Returns an External ID in the one form in which this package finds and writes it: without quotes, blanks around it
 * and invisible characters, in NFC. Returns '' if nothing is given. Throws ArgyleError when several people could have
 * what is given. No step may find, make, change or erase a person by that.
 */
function externalIdIn(value: unknown, fieldName: string): string {
	if (isNothing(value)) return '';
	if (typeof value === 'number' && !Number.isNaN(value) && !Number.isSafeInteger(value))
		throw lostDigits(fieldName, value);
	const text = unquoted(visibleText(readText(value, fieldName)));
	if (text === '') return '';
	if (hasLostDigits(text)) throw lostDigits(fieldName, text);
	if (isPlaceholder(text) || hasMissingPart(text)) throw notAnId(fieldName, text);
	if (/\p{Cc}/u.test(text)) {
		throw refused(`${fieldName} has several lines`, `An ID has one line. ${LEAVE_OUT}, or correct the column.`);
	}
	return text;
}

/** A field that holds an External ID. `saved` is what the workflow holds: a value or an expression. */
interface GivenId {
	fieldName: string;
	value: unknown;
	saved: unknown;
}

/**
 * Returns the External ID in a field that may be empty, or '' if there is none, or if all values in its expression are
 * missing. Throws ArgyleError when only some of them are.
 */
export function readOptionalExternalId(
	context: IExecuteFunctions,
	itemIndex: number,
	{ fieldName, value, saved }: GivenId,
): string {
	const missing = missingIn(context, itemIndex, saved, value);
	const externalId = missing === 'all' ? '' : externalIdIn(value, fieldName);
	if (externalId === '' || missing === 'none') return externalId;
	throw refused(
		`A part of ${fieldName} is missing`,
		`Its expression gives "${shortened(externalId)}" for each item without that part, so all of them would have the same ID. ${LEAVE_OUT}.`,
	);
}

/** As `readOptionalExternalId`, but throws ArgyleError when there is no ID. */
export function readExternalId(context: IExecuteFunctions, itemIndex: number, given: GivenId): string {
	const { fieldName, value, saved } = given;
	const externalId = readOptionalExternalId(context, itemIndex, given);
	if (externalId === '' && isExpression(saved) && !isNothing(value)) {
		throw refused(
			`${fieldName} is missing`,
			`Its expression gives "${shortened(value)}" for each item without a value, so all of them would have the same ID. ${LEAVE_OUT}.`,
		);
	}
	return readRequiredText(externalId, fieldName, 'your own ID of the person');
}
