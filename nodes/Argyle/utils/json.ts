import type { IDataObject } from 'n8n-workflow';

/**
 * Whether a value is an object, as opposed to null, an array or a primitive. A Date or a Buffer counts as an object,
 * too.
 */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the JSON value of a text or of its bytes, with or without a byte order mark. If the text is no JSON, it
 * returns undefined, and does not throw.
 */
export function parseJson(text: Buffer | string): unknown {
	try {
		const value: unknown = JSON.parse(text.toString().replace(/^\ufeff/, ''));
		return value;
	} catch {
		return undefined;
	}
}

/** Whether lists and objects are nested more than `levels` deep. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}
