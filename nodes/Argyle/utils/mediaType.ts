/**
 * Returns the media type that a header or field holds, in lower case and without its parameters. Returns undefined if
 * it has characters that no media type has, such as those that would begin another header.
 */
export function mediaTypeOf(text: unknown): string | undefined {
	const [type = ''] = String(text ?? '').split(';', 1);
	const trimmed = type.trim().toLowerCase();
	return /^[\w.+-]+\/[\w.+-]+$/.test(trimmed) ? trimmed : undefined;
}
