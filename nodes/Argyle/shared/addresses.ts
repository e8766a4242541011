import { refused } from '../transport/errors';
import { internationalNumber } from '../utils/phoneNumber';
import { readOptionalText, readTexts, whatIsThere } from './parameters';

/** Matches every address that a mail server on the internet could accept. The service itself checks more closely. */
const EMAIL_ADDRESS = /^[^\s@,;<>[\]]+@[^\s@,;<>[\]]+\.[^\s@,;<>.[\]]{2,}$/;

/** Matches an empty part between dots, and a part of the host that begins or ends with a hyphen. */
const BROKEN_PART = /^\.|\.\.|\.@|@[.-]|@[^@]*(?:-\.|\.-|-$)/;

const BEFORE_ADDRESS = '"\'`(';
const AFTER_ADDRESS = '"\'`).';

/**
 * Removes what people copy along with an address: invisible characters, the name in front of it, `mailto:`, and quotes,
 * brackets or a period around it. Otherwise two spellings of one address would count as two people.
 */
function plainAddress(text: string): string {
	const address = text
		.replace(/\p{Cf}/gu, '')
		.replace(/^[^<>@]*<([^<>]*)>$/, '$1')
		.replace(/^mailto:([^?]*).*$/i, '$1')
		.trim();
	let [from, to] = [0, address.length];
	while (BEFORE_ADDRESS.includes(address.charAt(from)) && from < to) from++;
	while (AFTER_ADDRESS.includes(address.charAt(to - 1)) && from < to) to--;
	return address.slice(from, to).trim();
}

/**
 * Matches a web address, or one that opens a mobile app. The slash is needed, because `example.com:8080` is neither.
 */
const URL_WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\S+$/i;

/**
 * Returns the address, or '' if the field is empty. Throws ArgyleError when the text is certainly no e-mail address.
 */
export function readEmailAddress(value: unknown, fieldName: string): string {
	const text = readOptionalText(value, fieldName);
	const address = plainAddress(text);
	if (address === '' || (EMAIL_ADDRESS.test(address) && !BROKEN_PART.test(address))) return address;
	throw refused(
		`${fieldName} is not an e-mail address`,
		`${whatIsThere(text)} Enter one address such as name@example.com, or leave the field out.`,
	);
}

/**
 * As `readEmailAddress`, for several addresses: a list, or text with commas, semicolons or line breaks between them.
 */
export function readEmailAddresses(value: unknown, fieldName: string): string[] {
	return readTexts(value, fieldName)
		.flatMap((text) => text.split(';'))
		.map((text) => readEmailAddress(text, fieldName))
		.filter((address) => address !== '');
}

/**
 * Returns the number in the form of E.164, or '' if the field is empty. Throws ArgyleError when nobody can be reached
 * at this number.
 */
export function readPhoneNumber(value: unknown, fieldName: string): string {
	const text = readOptionalText(value, fieldName);
	const number = text === '' ? '' : internationalNumber(text);
	if (number !== undefined) return number;
	throw refused(
		`${fieldName} is not a phone number`,
		`${whatIsThere(text)} Enter the ten digits of a number in the USA, or a number with the code of its country, such as +12125550123.`,
	);
}

/** Returns the URL, or '' if the field is empty. Throws ArgyleError when a browser certainly can't open it. */
export function readUrl(value: unknown, fieldName: string): string {
	const text = readOptionalText(value, fieldName);
	if (text === '' || (URL_WITH_SCHEME.test(text) && URL.canParse(text))) return text;
	throw refused(
		`${fieldName} is not a complete address`,
		`${whatIsThere(text)} Enter the whole of it, such as https://example.com/thanks.`,
	);
}
