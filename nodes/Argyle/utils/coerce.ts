const BOOLEANS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** Expressions often give a boolean as text or as 1 and 0. Undefined when it can only be guessed what is meant. */
export function asBoolean(value: unknown): boolean | undefined {
	const isPrimitive = ['boolean', 'number', 'string'].includes(typeof value);
	return isPrimitive ? BOOLEANS.get(String(value).trim().toLowerCase()) : undefined;
}

/** Expressions often give a number as text. Undefined when the value is no positive whole number. */
export function asPositiveInteger(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
