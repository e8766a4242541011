import { asBoolean, asPositiveInteger, isNothing, unquoted } from '../../../nodes/Argyle/utils/coerce';

it.each([
	[' plain ', 'plain'],
	['"double"', 'double'],
	[" ' single ' ", 'single'],
	['`code`', 'code'],
	['""', ''],
	['"unequal\'', '"unequal\''],
	['the "last"', 'the "last"'],
	['"first" of two', '"first" of two'],
	['xyx', 'xyx'],
])('unquoted takes blanks and one pair of quotes from around %j, which leaves %j', (text, inner) =>
	expect(unquoted(text)).toBe(inner),
);

it.each([
	[true, [true, 1, 'true', ' TRUE ', '"True"', '1']],
	[false, [false, 0, 'false', 'False', "'false'", '0']],
	[undefined, ['', 'yes', 'on', 2, NaN, null, undefined, {}, [true], ['true'], [1], new String('true')]],
])('asBoolean gives %p for each of %j', (boolean, values) =>
	expect(values.map(asBoolean)).toEqual(values.map(() => boolean)),
);

it.each([
	[1, 1],
	[90, 90],
	['1', 1],
	[' "90" ', 90],
	['90.00', 90],
	[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
])('asPositiveInteger reads %p as the number %p', (value, number) => expect(asPositiveInteger(value)).toBe(number));

it.each([0, '0', -1, '-1', 1.5, '1.5', 2 ** 53, Infinity, NaN, '', '1e3', '0x10', '9 days', null, true, [9]])(
	'asPositiveInteger gives undefined for %p, which is no positive whole number',
	(value) => expect(asPositiveInteger(value)).toBeUndefined(),
);

it.each([
	[true, ['', ' \n', '""', "''", ',', '[]', '[""]', null, undefined, [], [''], [null, [' ']], {}]],
	[true, [{ mode: 'id', value: '' }, { mode: 'id' }, { value: null }, [{ value: ' ' }]]],
	[false, ['x', '0', 0, false, NaN, [0], ['', 'x'], { value: 'x' }, { a: '' }, new Date(0), new Date(NaN)]],
])('isNothing gives %p for each of %j', (isEmpty, values: unknown[]) =>
	expect(values.map(isNothing)).toEqual(values.map(() => isEmpty)),
);
