import { isDataObject, parseJson } from '../../../nodes/Argyle/utils/json';

it('isDataObject accepts plain objects only', () => {
	expect(isDataObject({})).toBe(true);
	for (const value of [null, undefined, [], 'a', 1, true]) expect(isDataObject(value)).toBe(false);
});

it('parseJson returns undefined for bytes that are no JSON', () => {
	expect(parseJson(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
	expect(parseJson(Buffer.from('null'))).toBeNull();
	expect(parseJson(Buffer.from('<html>'))).toBeUndefined();
	expect(parseJson(Buffer.alloc(0))).toBeUndefined();
});
