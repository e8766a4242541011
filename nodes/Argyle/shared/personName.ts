import { refused } from '../transport/errors';
import { hasMissingPart, visibleText } from '../utils/cellText';
import { shortened } from '../utils/coerce';
import { readOptionalText } from './parameters';

/** Null and Na are surnames of people, so only the spellings of programs count. */
const PLACEHOLDER = /^(?:n\/a|N\/A|NULL|TBD|TBA|TBC)$/;

/** Direction marks and the like. Joiners stay, because the names of some scripts are written with them. */
const MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Returns a person's name as a message can address them: in one line, without marks that nobody can see. Returns '' if
 * nothing can be seen. Throws ArgyleError when the text is certainly no name.
 */
export function readPersonName(value: unknown, fieldName: string): string {
	const text = readOptionalText(value, fieldName);
	const name = text
		.replace(MARKS, '')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim()
		.normalize('NFC');
	if (visibleText(name).trim() === '') return '';
	if (/[\p{L}\p{N}]/u.test(name) && !PLACEHOLDER.test(name) && !hasMissingPart(name)) return name;
	throw refused(
		`${fieldName} is "${shortened(name)}", which is no name`,
		'Correct the cell, or leave out such items before this step.',
	);
}
