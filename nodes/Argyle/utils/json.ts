import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a plain JSON object, as opposed to null, an array or a primitive. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON value that the bytes hold, or undefined when they hold none. Never throws. */
export function parseJson(bytes: Buffer): unknown {
	try {
		const value: unknown = JSON.parse(bytes.toString('utf8'));
		return value;
	} catch {
		return undefined;
	}
}
