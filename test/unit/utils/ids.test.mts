import { EXAMPLE_UUID, isUuid } from '../../../nodes/Argyle/utils/ids';

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
	])('refuses %p as a UUID', (value) => expect(isUuid(value)).toBe(false));
});
