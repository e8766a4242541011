import { isArgyleAddress } from '../../../nodes/Argyle/trigger/ipAllowlist';

describe('isArgyleAddress', () => {
	it.each(['34.27.251.226', '34.122.50.253', '35.188.163.115', '35.226.53.251', '::ffff:35.226.53.251'])(
		'accepts the Argyle address %s',
		(address) => expect(isArgyleAddress(address)).toBe(true),
	);

	it.each(['34.27.251.227', '127.0.0.1', '::1', '', '34.27.251.226, 127.0.0.1', 'x::ffff:35.226.53.251', undefined, 7])(
		'refuses %p, which is no Argyle address',
		(address) => expect(isArgyleAddress(address)).toBe(false),
	);
});
