import { internationalNumber } from '../../../nodes/Argyle/utils/phoneNumber';

it.each([
	[
		'+12125550123',
		['2125550123', '(212) 555-0123', '212.555.0123', '1-212-555-0123', '+1 212 555 0123', 'tel:+12125550123'],
	],
	['+491701234567', ['+49 170 1234567', '+49 (0)170 / 1234567', '0049 170 1234567', '+49‑170‑1234567']],
	['+85212345678', ['+852 1234 5678']],
	// Copied from a contact, where invisible characters keep the digits in their order.
	['+12125550123', ['\u202a+1 (212) 555-0123\u202c', '\u200etel:+12125550123', '212\u200b5550123']],
	[
		undefined,
		[
			'',
			'12',
			'555-0123',
			'0170 1234567',
			'1125550123',
			'2121550123',
			'+1 555 0111',
			'+12125550123 x7',
			'+4917012345678901',
		],
	],
	[undefined, ['212-555-0123, 212-555-0124', '2.12556E+09', 'call me', '+', '++12125550123']],
])('internationalNumber gives %p for each of %j', (number, texts) =>
	expect(texts.map(internationalNumber)).toEqual(texts.map(() => number)),
);
