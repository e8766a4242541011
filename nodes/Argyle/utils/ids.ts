/** No pattern here has anchors: an ID is also looked for in a text, and n8n's field validation wants none. */
export const UUID_PATTERN = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** For the IDs of invites and verifications, because an example in Argyle's documentation is no UUID. */
export const ID_PATTERN = '[\\w-]{8,100}';

/** For placeholders and messages. */
export const EXAMPLE_UUID = '0187c66e-e7e5-811c-b006-2232f00f426a';

/** In Argyle's OpenAPI file, Items have nine digits. */
export const ITEM_ID_PATTERN = 'item_\\d+';

export const EXAMPLE_ITEM_ID = 'item_000041078';

function testFor(pattern: string): (value: unknown) => value is string {
	const whole = new RegExp(`^${pattern}$`);
	return (value): value is string => typeof value === 'string' && whole.test(value);
}

export const isUuid = testFor(UUID_PATTERN);

/** Whether a value can be the ID of a record whose IDs are not always UUIDs. */
export const isId = testFor(ID_PATTERN);

export const isItemId = testFor(ITEM_ID_PATTERN);

/** Whether an ID comes from the trigger's sample, or from an item that is pinned in one of the example workflows. */
export const isSampleId = testFor('00000000-0000-4000-8000-0000000000[a-f]1');
