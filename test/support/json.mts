/** A plain JSON object. */
export type Json = Record<string, unknown>;

/** Takes anything; tells whether it is a plain JSON object. */
export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
