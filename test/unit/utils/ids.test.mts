import { EXAMPLE_ITEM_ID, EXAMPLE_UUID, isId, isItemId, isSampleId, isUuid } from '../../../nodes/Argyle/utils/ids';

describe('isUuid', () => {
	it('accepts a UUID of the 8-4-4-4-12 form in either case', () => {
		expect(isUuid(EXAMPLE_UUID)).toBe(true);
		expect(isUuid(EXAMPLE_UUID.toUpperCase())).toBe(true);
	});

	it.each([
		'',
		'0187c66ee7e5811cb0062232f00f426a',
		'0187c66e-e7e5-811c-b006-2232f00f426',
		'0187c66e-e7e5-811c-b006-2232f00f426a/..',
		'x187c66e-e7e5-811c-b006-2232f00f426a',
		undefined,
		7,
		[EXAMPLE_UUID],
	])('refuses %p as a UUID', (value) => expect(isUuid(value)).toBe(false));
});

it('isId accepts 8 to 100 letters, digits, _ and - as an ID, and nothing that leaves its place in a URL', () => {
	for (const id of [EXAMPLE_UUID, 'inv_1-aB', 'x'.repeat(100)]) expect(isId(id)).toBe(true);
	for (const value of ['1234567', 'x'.repeat(101), 'abc/../def', 'abcdefgh?', 12_345_678, ['12345678'], undefined])
		expect(isId(value)).toBe(false);
});

it('isItemId accepts item_ and digits alone as the ID of an Item', () => {
	expect(isItemId(EXAMPLE_ITEM_ID)).toBe(true);
	for (const value of ['item_', 'item_1x', 'xitem_1', 'Whole Goods', [EXAMPLE_ITEM_ID], undefined])
		expect(isItemId(value)).toBe(false);
});

it("isSampleId knows the IDs of the trigger's sample, and takes no other UUID for one", () => {
	expect(isSampleId('00000000-0000-4000-8000-0000000000a1')).toBe(true);
	for (const id of [EXAMPLE_UUID, '00000000-0000-4000-8000-0000000000a2']) expect(isSampleId(id)).toBe(false);
});
