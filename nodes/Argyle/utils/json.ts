import type { IDataObject } from 'n8n-workflow';

/** A plain JSON object, as opposed to null, an array or a primitive. */
export type JsonRecord = Record<string, unknown>;

/** Takes anything; tells whether it is a JSON object. */
export function isJsonRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Takes a JSON object; gives a copy of it as n8n's items hold one. */
export function toItemData(record: JsonRecord): IDataObject {
	const copy: IDataObject = JSON.parse(JSON.stringify(record));
	return copy;
}

/** Takes bytes; gives the JSON value they hold, or undefined when they hold none. Never throws. */
export function parseJson(bytes: Buffer): unknown {
	try {
		const value: unknown = JSON.parse(bytes.toString('utf8'));
		return value;
	} catch {
		return undefined;
	}
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Takes anything; tells whether it is a UUID, the form of every id at Argyle but that of an Item. */
export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}
