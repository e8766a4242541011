import { readUuid } from '../../../nodes/Argyle/shared/parameters';

describe('readUuid', () => {
	const id = '0187c66e-e7e5-811c-b006-2232f00f426a';

	it('returns a UUID without the spaces around it', () => expect(readUuid(` ${id} `, 'User')).toBe(id));

	it.each([
		['', 'User is missing'],
		['  ', 'User is missing'],
		[undefined, 'User is missing'],
		[null, 'User is missing'],
		[7, 'User is not a valid ID'],
		['bob', 'User is not a valid ID'],
	])('refuses %p as a UUID: %s', (value, message) => expect(() => readUuid(value, 'User')).toThrow(message));
});
