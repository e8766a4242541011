/** Blanks, dots, slashes, brackets and all kinds of hyphens. */
const PUNCTUATION = /[\s./()\u2010-\u2015-]/g;

/** The code of the country may be there or not. The area code and the exchange never begin with 0 or 1. */
const OF_NORTH_AMERICA = /^(?:\+?1)?([2-9]\d{2}[2-9]\d{6})$/;

/** The longest number has 15 digits (ITU-T E.164). */
const OF_ANOTHER_COUNTRY = /^\+[2-9]\d{7,14}$/;

/**
 * Turns a phone number that a person wrote into the form of E.164: "(212) 555-0123" becomes `+12125550123`. Returns
 * undefined if the text is no number, if a program has written it with a decimal (+491701234567.0), or if it is the
 * number of another country without that country's code.
 */
export function internationalNumber(text: string): string | undefined {
	if (/\d{5}\.0\s*$/.test(text)) return undefined;
	const digits = text
		// People copy these invisible characters along with a number from their contacts.
		.replace(/\p{Cf}/gu, '')
		.replace(/^\s*tel:/i, '')
		// In +49 (0)170, only callers in that country dial the zero.
		.replace('(0)', '')
		.replace(PUNCTUATION, '')
		.replace(/^00/, '+');
	const [, local] = OF_NORTH_AMERICA.exec(digits) ?? [];
	if (local !== undefined) return `+1${local}`;
	return OF_ANOTHER_COUNTRY.test(digits) ? digits : undefined;
}
