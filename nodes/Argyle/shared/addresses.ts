import { refused } from '../transport/errors';
import { readOptionalText } from './parameters';

/** Whatever a mail server could take; the service itself knows better. */
const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** A web address, or the one of a mobile app. Without the slash, `example.com:8080` would be one. */
const URL_WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\S+$/i;

/** '' when it is left empty. Throws ArgyleError when it certainly is no e-mail address. */
export function readEmailAddress(value: unknown, fieldName: string): string {
	const text = readOptionalText(value, fieldName);
	if (text === '' || EMAIL_ADDRESS.test(text)) return text;
	throw refused(
		`${fieldName} is not an e-mail address`,
		`There is "${text}". Enter one address such as name@example.com, or leave the field out.`,
	);
}

/** '' when it is left empty. Throws ArgyleError when it certainly is no address that a browser can go to. */
export function readUrl(value: unknown, fieldName: string): string {
	const text = readOptionalText(value, fieldName);
	if (text === '' || (URL_WITH_SCHEME.test(text) && URL.canParse(text))) return text;
	throw refused(
		`${fieldName} is not a complete address`,
		`There is "${text}". Enter the whole of it, such as https://example.com/thanks.`,
	);
}
