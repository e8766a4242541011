import { isJsonRecord, isUuid, parseJson } from '../../../nodes/Argyle/utils/json';

it('isJsonRecord takes objects only', () => {
	expect(isJsonRecord({})).toBe(true);
	for (const value of [null, undefined, [], 'a', 1, true]) expect(isJsonRecord(value)).toBe(false);
});

it('isUuid takes the 8-4-4-4-12 form only', () => {
	expect(isUuid('0187c66e-e7e5-811c-b006-2232f00f426a')).toBe(true);
	expect(isUuid('0187C66E-E7E5-811C-B006-2232F00F426A')).toBe(true);
	for (const value of [
		'',
		'0187c66ee7e5811cb0062232f00f426a',
		'0187c66e-e7e5-811c-b006-2232f00f426',
		'0187c66e-e7e5-811c-b006-2232f00f426a/..',
		'x187c66e-e7e5-811c-b006-2232f00f426a',
		undefined,
		7,
	]) {
		expect(isUuid(value)).toBe(false);
	}
});

it('parseJson gives undefined for what is no JSON', () => {
	expect(parseJson(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
	expect(parseJson(Buffer.from('null'))).toBeNull();
	expect(parseJson(Buffer.from('<html>'))).toBeUndefined();
	expect(parseJson(Buffer.alloc(0))).toBeUndefined();
});
