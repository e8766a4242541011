/** File systems allow 255 bytes. The difference leaves room for what a later node appends to the name. */
const MAX_NAME_BYTES = 200;

/** A longer text can't be a file name. It is cut first, to limit the work on it. */
const MAX_TEXT_LENGTH = 4_000;

/** Windows opens these as devices, whatever their extension. */
const WINDOWS_DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Windows drops blanks and dots at the end of a name. On other systems, a dot at the beginning hides the file. */
const BLANK_ENDS = /^[\s.]+|(?<![\s.])[\s.]+$/g;

/**
 * Returns a name that every file system accepts, without folders and with its extension kept, or '' when nothing is
 * left of the text.
 */
export function safeFileName(text: string): string {
	const clean = text
		.slice(-MAX_TEXT_LENGTH)
		.replace(/^.*[/\\]/s, '')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\ufffd<>:"|?*]/gu, '')
		.replace(BLANK_ENDS, '');
	const name = WINDOWS_DEVICE_NAME.test(clean) ? `_${clean}` : clean;
	const extension = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
	const stem = firstBytes(name.slice(0, name.length - extension.length), MAX_NAME_BYTES - extension.length);
	return extension === '' ? stem.replace(BLANK_ENDS, '') : `${stem}${extension}`;
}

/** Cuts a text to a number of UTF-8 bytes without splitting a character. */
function firstBytes(text: string, count: number): string {
	let bytes = 0;
	const characters = [...text];
	const cut = characters.findIndex((character) => (bytes += Buffer.byteLength(character)) > count);
	return cut === -1 ? text : characters.slice(0, cut).join('');
}

/** Decodes a value in the form of RFC 8187: charset, language, percent-encoded bytes. */
function decodeExtended(value: string): string {
	const match = /^(utf-8|iso-8859-1)'[^']*'(.*)$/i.exec(value);
	if (match === null) return '';
	const [, charset, encoded] = match;
	const bytes = Buffer.from(
		encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
		'latin1',
	);
	return bytes.toString(/^utf/i.test(charset) ? 'utf8' : 'latin1');
}

/** Node decodes headers as Latin-1, but services also put UTF-8 bytes into a plain `filename`. */
function decodePlain(value: string): string {
	const utf8 = Buffer.from(value, 'latin1').toString('utf8');
	return utf8.includes('\ufffd') ? value : utf8;
}

function parameters(header: string): Map<string, string> {
	const found = new Map<string, string>();
	for (const [, name, quoted, token] of header.matchAll(
		/;\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/g,
	)) {
		const key = name.toLowerCase();
		if (!found.has(key)) found.set(key, quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1'));
	}
	return found;
}

/**
 * Returns the file name in a `Content-Disposition` header, made safe. `filename*` takes precedence over `filename`
 * (RFC 6266).
 */
export function fileNameFromHeader(header: unknown): string | undefined {
	if (typeof header !== 'string') return undefined;
	const given = parameters(header);
	const extended = safeFileName(decodeExtended(given.get('filename*') ?? ''));
	const plain = safeFileName(decodePlain(given.get('filename') ?? ''));
	return extended || plain || undefined;
}
