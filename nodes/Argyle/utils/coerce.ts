import { isDataObject } from './json';

const BOOLEANS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/**
 * Returns the text without blanks around it, and without the quotes that language models sometimes put around a value.
 */
export function unquoted(text: string): string {
	return text
		.trim()
		.replace(/^(["'`])(.*)\1$/, '$2')
		.trim();
}

/** Expressions often give a boolean as text or as 1 and 0. Returns undefined when the meaning is not clear. */
export function asBoolean(value: unknown): boolean | undefined {
	const isPrimitive = ['boolean', 'number', 'string'].includes(typeof value);
	return isPrimitive ? BOOLEANS.get(unquoted(String(value)).toLowerCase()) : undefined;
}

/** Expressions often give a number as text. Returns undefined when the value is no positive whole number. */
export function asPositiveInteger(value: unknown): number | undefined {
	const text = typeof value === 'string' ? unquoted(value) : '';
	const number = /^\d+(\.0+)?$/.test(text) ? Number(text) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/**
 * Whether a value is empty: an empty cell, an expression that finds nothing, or a choice that was not made. Text is
 * empty if it has only blanks, commas, quotes and brackets. A list or a choice is empty if all its values are.
 */
export function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return /^[\s,"'`[\]]*$/.test(value);
	if (Array.isArray(value)) return value.every(isNothing);
	if (!isDataObject(value)) return value === undefined || value === null;
	if ('mode' in value || 'value' in value) return isNothing(value.value);
	return Object.keys(value).length === 0 && !(value instanceof Date);
}

const MAX_QUOTED = 40;

/** People may enter such a number in any field, and no message may show it. */
const SOCIAL_SECURITY_NUMBER = /(?<!\d)\d{3}[-. ]?\d{2}[-. ]?\d{4}(?!\d)/g;

/** Returns as much of what people entered as fits into a message. */
export function shortened(value: unknown): string {
	const text = String(value).replace(SOCIAL_SECURITY_NUMBER, '•••');
	return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
