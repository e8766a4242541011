import { isDataObject, parseJson } from '../utils/json';

/**
 * How much of a text is read. Its important part comes first, and the patterns below would take long on a longer text.
 */
export const MAX_DETAIL_BYTES = 20_000;

const MAX_DETAIL_LENGTH = 300;
const HIDDEN = '[hidden]';

/** Keys under which services put words for people, the most telling first. */
const WORD_KEYS = ['detail', 'message', 'error_description', 'error', 'title'];

function wordsOf(value: unknown, depth = 0): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (depth > 4) return '';
	if (Array.isArray(value))
		return joined(
			value.map((entry) => wordsOf(entry, depth + 1)),
			' ',
		);
	if (!isDataObject(value)) return '';
	for (const key of WORD_KEYS) {
		const words = wordsOf(value[key], depth + 1);
		if (words) return words;
	}
	const fields = Object.entries(value).map(([field, messages]) => {
		const words = wordsOf(messages, depth + 1);
		return (
			words && (depth === 0 && (field === 'errors' || field === 'non_field_errors') ? words : `${field}: ${words}`)
		);
	});
	return joined(fields, '; ');
}

function joined(parts: string[], separator: string): string {
	return parts.filter((part) => part !== '').join(separator);
}

function textOf(markup: string): string {
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(markup)?.[1];
	return title ?? markup.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ').replace(/<[^<>]*>/g, ' ');
}

/**
 * Returns the service's own words in the body of an error, in one line of at most 300 characters, or '' when there are
 * none. Reads `{detail}`, `{message}`, field maps such as `{"url": ["Enter a valid URL."]}`, lists, plain text and HTML
 * pages. It reads so many forms because Argyle documents none, and two back ends and a CDN answer at one address.
 */
export function readDetail(body: Buffer, secrets: string[]): string {
	const json = parseJson(body);
	const text = json === undefined ? readableText(body) : wordsOf(json);
	// The secrets are hidden before the text is cut. After a cut, the beginning of a secret could be left over.
	const line = redact(text.replace(/\s+/g, ' ').trim(), secrets);
	return line.length > MAX_DETAIL_LENGTH ? `${line.slice(0, MAX_DETAIL_LENGTH - 1)}…` : line;
}

function readableText(body: Buffer): string {
	// The cut may split a character. With `stream`, the decoder leaves out the beginning of such a character.
	const text = new TextDecoder().decode(body.subarray(0, MAX_DETAIL_BYTES), { stream: true });
	const isBinary = /[^\P{Cc}\s]|\ufffd/u.test(text);
	return isBinary ? '' : /<[a-z!][^<>]*>/i.test(text) ? textOf(text) : text;
}

/**
 * Hides the secrets. Values of fewer than four characters stay: they are no secrets, and hiding them would garble
 * words.
 */
function redact(text: string, secrets: string[]): string {
	return secrets.filter((secret) => secret.length >= 4).reduce((seen, secret) => seen.replaceAll(secret, HIDDEN), text);
}
