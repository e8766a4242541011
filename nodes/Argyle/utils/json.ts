import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a plain JSON object, as opposed to null, an array or a primitive. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON value that a text, or its bytes, hold; undefined when they hold none. Never throws. */
export function parseJson(text: Buffer | string): unknown {
	try {
		const value: unknown = JSON.parse(text.toString());
		return value;
	} catch {
		return undefined;
	}
}
