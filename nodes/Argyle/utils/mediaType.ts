/**
 * The media type in a header or a field, in lower case and without its parameters; undefined when it has characters
 * that no type has, such as those that would begin another header.
 */
export function mediaTypeOf(text: unknown): string | undefined {
	const [type = ''] = String(text ?? '').split(';', 1);
	const trimmed = type.trim().toLowerCase();
	return /^[\w.+-]+\/[\w.+-]+$/.test(trimmed) ? trimmed : undefined;
}
