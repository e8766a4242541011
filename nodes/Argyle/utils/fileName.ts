/** Bytes, because file systems count bytes: they take 255. */
const LONGEST_NAME = 200;

/** Of more than this nothing is looked at; no file name is as long. */
const LONGEST_TEXT = 4_000;

/** Device names that Windows takes for something else than a file. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Takes any text; gives a file name without folders, control characters, halves of characters and characters that a
 * file system refuses, at most 200 bytes long with its ending kept; '' when nothing is left.
 */
export function safeFileName(text: string): string {
	const clean = text
		.slice(-LONGEST_TEXT)
		.replace(/^.*[/\\]/s, '')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\ufffd<>:"|?*]/gu, '')
		.replace(/^[\s.]+|[\s.]+$/g, '');
	const name = RESERVED.test(clean) ? `_${clean}` : clean;
	if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
	const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
	return firstBytes(name.slice(0, name.length - ending.length), LONGEST_NAME - ending.length) + ending;
}

/** The whole characters that the first bytes of a text hold. */
function firstBytes(text: string, count: number): string {
	let bytes = 0;
	const characters = [...text];
	const cut = characters.findIndex((character) => (bytes += Buffer.byteLength(character)) > count);
	return cut === -1 ? text : characters.slice(0, cut).join('');
}

/** `filename*` of RFC 8187: charset, language, percent-encoded bytes. */
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

/** HTTP headers arrive as Latin-1; a service that sends UTF-8 bytes in a plain `filename` means UTF-8. */
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
 * Takes the value of a `Content-Disposition` header; gives its file name made safe, `filename*` before `filename`
 * (RFC 6266), undefined when it names none.
 */
export function fileNameOf(header: unknown): string | undefined {
	if (typeof header !== 'string') return undefined;
	const given = parameters(header);
	const extended = safeFileName(decodeExtended(given.get('filename*') ?? ''));
	const plain = safeFileName(decodePlain(given.get('filename') ?? ''));
	return extended || plain || undefined;
}
