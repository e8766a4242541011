import { ArgyleError } from '../api/errors';
import { isUuid } from '../api/guards';

/**
 * Takes the value of a field that holds an id, and the field's name on screen; gives the id.
 * Throws ArgyleError when it is missing or no UUID, so that no request is made for nothing.
 */
export function readUuid(value: unknown, fieldName: string): string {
	const text = typeof value === 'string' ? value.trim() : value;
	if (isUuid(text)) return text;
	if (text === '' || text === undefined || text === null) {
		throw new ArgyleError(
			`${fieldName} is missing`,
			`Choose an entry in ${fieldName}, or give its ID. Nothing was sent to Argyle.`,
		);
	}
	throw new ArgyleError(
		`${fieldName} is not a valid ID`,
		'An ID at Argyle looks like 0187c66e-e7e5-811c-b006-2232f00f426a. Nothing was sent to Argyle.',
	);
}
