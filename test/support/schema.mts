import { isJson } from './json.mts';

/** A JSON schema, as n8n's editor reads one: it shows nothing of `anyOf`, and a list of types as a single value. */
export interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

function typeOf(value: unknown): string {
	return Array.isArray(value) ? 'array' : typeof value;
}

/** Of all these values: with each field that one of them has, and null only for what no value is known of. */
export function schemaOf(values: unknown[]): Schema {
	const known = values.filter((value) => value !== null && value !== undefined);
	const [type = 'null', ...others] = new Set(known.map(typeOf));
	if (others.length > 0) throw new Error(`${JSON.stringify(known)} are values of one field, but ${others} and ${type}`);
	if (type === 'array') {
		const elements = known.flat();
		return elements.length === 0 ? { type } : { type, items: schemaOf(elements) };
	}
	const objects = known.filter(isJson);
	const fields = [...new Set(objects.flatMap((object) => Object.keys(object)))];
	if (fields.length === 0) return { type };
	const properties = fields.map((field) => [field, schemaOf(objects.map((object) => object[field]))]);
	return { type, properties: Object.fromEntries(properties) };
}
