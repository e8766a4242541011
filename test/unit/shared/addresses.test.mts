import { readEmailAddress, readEmailAddresses, readPhoneNumber, readUrl } from '../../../nodes/Argyle/shared/addresses';

it.each(['', undefined, null, '  '])('an e-mail address and a URL that are left empty (%p) are none', (value) => {
	expect([readEmailAddress(value, 'Officer Email'), readUrl(value, 'Redirect URL')]).toEqual(['', '']);
});

it.each(['officer@example.com', ' officer@example.com ', 'O.Neill+1@mail.example.co', 'jürgen@example.com'])(
	'%p is taken as an e-mail address',
	(value) => expect(readEmailAddress(value, 'Officer Email')).toBe(value.trim()),
);

it.each([
	'mailto:gus@example.com',
	'MAILTO:gus@example.com?subject=Hello',
	'Gus <gus@example.com>',
	'"Sample, Gus" <mailto:gus@example.com>',
	...['"gus@example.com"', "'gus@example.com'", 'gus@example.com.', '(gus@example.com)'],
	'\u200bgus@example.com\ufeff',
])('%p is read as the e-mail address in it', (value) =>
	expect(readEmailAddress(value, 'Officer Email')).toBe('gus@example.com'),
);

it.each([
	'a@x.com; b@x.com',
	'a@x.com,b@x.com',
	' a@x.com \n b@x.com ; ',
	'["a@x.com", "b@x.com"]',
	['a@x.com', 'mailto:b@x.com'],
])('%j is read as two e-mail addresses', (value) =>
	expect(readEmailAddresses(value, 'Notify')).toEqual(['a@x.com', 'b@x.com']),
);

it('several e-mail addresses, of which one is none, are refused, and none are none', () => {
	expect(() => readEmailAddresses('a@x.com; team', 'Notify')).toThrow('Notify is not an e-mail address');
	expect(readEmailAddresses(undefined, 'Notify')).toEqual([]);
});

it('a phone number is read in the form of E.164, and refused with what is there', () => {
	expect(readPhoneNumber(2125550101, 'Phone Number')).toBe('+12125550101');
	expect(readPhoneNumber(' ', 'Phone Number')).toBe('');
	expect(() => readPhoneNumber('522-09-1191', 'Phone Number')).toThrow(
		expect.objectContaining({
			message: 'Phone Number is not a phone number',
			description: expect.stringMatching(/^There is "•••"\. Enter .* Nothing was sent to Argyle\.$/),
		}),
	);
});

it.each([
	...['not an email', 'officer', 'officer@', 'officer@gmail', 'officer@gmail.', '@example.com'],
	...['a@x.com; b@x.com', 'a@x.com,b@x.com'],
])('%p is refused as an e-mail address, with what is there and before anything is sent', (value) =>
	expect(() => readEmailAddress(value, 'Officer Email')).toThrow(
		expect.objectContaining({
			message: 'Officer Email is not an e-mail address',
			description: expect.stringMatching(new RegExp(`^There is "${value}"\\. .* Nothing was sent to Argyle\\.$`)),
		}),
	),
);

it.each(['https://example.com/thanks', ' http://localhost:3000/done ', 'myapp://done', 'com.example.app:/done'])(
	'%p is taken as an address to go to',
	(value) => expect(readUrl(value, 'Redirect URL')).toBe(value.trim()),
);

it.each([
	...['example.com/thanks', 'example.com:8080/thanks', 'localhost:3000/done', '/thanks', '//example.com'],
	...['javascript:alert(1)', 'https://', 'https://example.com/thank you'],
])('%p is refused as an address to go to, with what is there and before anything is sent', (value) => {
	expect(() => readUrl(value, 'Redirect URL')).toThrow(
		expect.objectContaining({
			message: 'Redirect URL is not a complete address',
			description: expect.stringMatching(/^There is ".+"\. Enter the whole of it.* Nothing was sent to Argyle\.$/),
		}),
	);
});
