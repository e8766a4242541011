/** Without anchors, as n8n's field validation wants it. Argyle's Items have nine digits (its OpenAPI file). */
export const ITEM_ID_PATTERN = 'item_\\d+';

/** For placeholders and messages. */
export const EXAMPLE_ITEM_ID = 'item_000041078';

const ITEM_ID = new RegExp(`^${ITEM_ID_PATTERN}$`);

export function isItemId(value: unknown): value is string {
	return typeof value === 'string' && ITEM_ID.test(value);
}
