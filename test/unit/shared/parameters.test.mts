import { isOn, readId, readTexts, readUuid } from '../../../nodes/Argyle/shared/parameters';

const id = '0187c66e-e7e5-811c-b006-2232f00f426a';

describe('readId', () => {
	it.each([
		[`"${id.toUpperCase()}"`, id],
		['inv_Alex_4711', 'inv_Alex_4711'],
	])('reads %p as %s: only a UUID is the same in capitals', (value, read) =>
		expect(readId(value, 'Invite')).toBe(read),
	);
});

describe('readUuid', () => {
	it.each([` ${id} `, `"${id}"`, `' ${id} '`, `\`${id}\``, id.toUpperCase()])('reads %p as the UUID', (value) =>
		expect(readUuid(value, 'User')).toBe(id),
	);

	it.each([
		['', 'User is missing'],
		['  ', 'User is missing'],
		[undefined, 'User is missing'],
		[null, 'User is missing'],
		[[], 'User is missing'],
		[[' ', null], 'User is missing'],
		[{}, 'User is missing'],
		[{ __rl: true, mode: 'id', value: '' }, 'User is missing'],
		['[]', 'User is missing'],
		[7, 'User is not a valid ID'],
		['bob', 'User is not a valid ID'],
		['00000000-0000-4000-8000-0000000000b1', "User is the ID of a sample, which Argyle doesn't have"],
		[`"${id}'`, 'User is not a valid ID'],
		['null', 'User is not a valid ID'],
		[`${id}, ${id}`, 'User is not a valid ID'],
	])('refuses %p as a UUID: %s', (value, message) => expect(() => readUuid(value, 'User')).toThrow(message));

	it.each([
		['bob@example.com', 'There is "bob@example.com". Get Many shows the IDs that exist. To search by name or e-mail'],
		['x'.repeat(50), `There is "${'x'.repeat(40)}…".`],
		['522-09-1192', 'There is "•••".'],
		[{ name: 'Bob' }, 'There is an object.'],
		[[1, 2], 'There is a list.'],
		[`${id} ${id}`, 'There are 2 IDs in the field: give one, or one for each item.'],
	])('says what stands in place of a UUID: %s', (value, advice) => {
		const description = expect.stringContaining(advice);
		expect(() => readUuid(value, 'User')).toThrow(expect.objectContaining({ description }));
	});
});

describe('isOn', () => {
	it.each([true, 'true', 1, 'yes', '', null, undefined, {}])('takes a protection that is set to %p for on', (value) =>
		expect(isOn({ protection: value }, 'protection')).toBe(true),
	);

	it.each([false, 'false', 0])('takes a protection that is set to %p for off', (value) =>
		expect(isOn({ protection: value }, 'protection', true)).toBe(false),
	);

	it('takes a protection that is not set for its default', () => {
		expect(isOn({}, 'protection')).toBe(false);
		expect(isOn({}, 'protection', true)).toBe(true);
	});
});

describe('readTexts', () => {
	it.each([
		['a, b\nc', ['a', 'b', 'c']],
		['["a", null, {"value": "b"}]', ['a', 'b']],
		[
			['a', '', null, { mode: 'id', value: ' b ' }],
			['a', 'b'],
		],
		[{ value: 'a' }, ['a']],
		[7, ['7']],
		[undefined, []],
		['[]', []],
	])('reads %j as the texts %j', (value, texts) => expect(readTexts(value, 'Notify')).toEqual(texts));

	it.each([[{ a: 1 }], [[{ a: 1 }]], [true], [[['a']]]])('refuses %j, which would be left out', (value) =>
		expect(() => readTexts(value, 'Notify')).toThrow('Notify is no text'),
	);
});
