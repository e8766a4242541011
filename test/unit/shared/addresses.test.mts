import { readEmailAddress, readUrl } from '../../../nodes/Argyle/shared/addresses';

it.each(['', undefined, null, '  '])('an e-mail address and a URL that are left empty (%p) are none', (value) => {
	expect([readEmailAddress(value, 'Officer Email'), readUrl(value, 'Redirect URL')]).toEqual(['', '']);
});

it.each([
	'officer@example.com',
	' officer@example.com ',
	'O.Neill+1@mail.example.co',
	'jürgen@example.com',
	'me@intranet',
])('%p is taken as an e-mail address', (value) => expect(readEmailAddress(value, 'Officer Email')).toBe(value.trim()));

it.each(['not an email', 'officer', 'officer@', '@example.com', 'a@x.com; b@x.com', 'Gus <gus@example.com>'])(
	'%p is refused as an e-mail address, with what is there and before anything is sent',
	(value) =>
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
