/** Without anchors, as n8n's field validation wants it. */
export const UUID_PATTERN = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** For placeholders and messages. */
export const EXAMPLE_UUID = '0187c66e-e7e5-811c-b006-2232f00f426a';

const UUID = new RegExp(`^${UUID_PATTERN}$`);

export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}
