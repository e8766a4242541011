import { refused } from '../transport/errors';
import { isNothing, shortened, unquoted } from '../utils/coerce';
import { EXAMPLE_ITEM_ID, isItemId } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { isNoChoice } from './idToFind';

/** In the list that n8n gives, an entry is an object with the choice, or null if it was added and left empty. */
function textOf(entry: unknown): string {
	const value = isDataObject(entry) && 'value' in entry ? entry.value : entry;
	if (isNothing(value)) return '';
	return isDataObject(value) ? 'an object' : unquoted(String(value));
}

/** Language models and sheets put several IDs into one text, sometimes as a list in JSON. */
const textsOf = (entry: unknown) =>
	textOf(entry)
		.replace(/^\[(.*)\]$/s, '$1')
		.split(/[,;\n]/)
		.map(unquoted);

/**
 * Returns the IDs of Items, each once. They may be chosen from n8n's list, typed, or given by an expression. Throws
 * ArgyleError when an entry is no ID, such as the name of an employer. `fieldName` is the field in which it was
 * entered.
 */
export function readItemIds(value: unknown, fieldName: string): string[] {
	const entries = Array.isArray(value) ? value : [value];
	if (entries.some(isNoChoice)) {
		throw refused(
			`${fieldName} has an entry that is no choice`,
			'It only says that the search was not complete: choose an employer, or remove the entry.',
		);
	}
	const ids = [...new Set(entries.flatMap(textsOf).filter((text) => text !== ''))];
	const wrong = ids.find((id): boolean => !isItemId(id));
	if (wrong === undefined) return ids;
	throw refused(
		`${fieldName} has an entry that is not the ID of an Item: ${shortened(wrong)}`,
		`Choose employers from the list, or enter IDs such as ${EXAMPLE_ITEM_ID}. Employer: Search finds them by name.`,
	);
}
