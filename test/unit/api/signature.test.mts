import { createHmac } from 'node:crypto';
import { isSignedBy, parseSignature } from '../../../nodes/Argyle/api/signature';

const secret = 'a'.repeat(64);
const otherSecret = 'b'.repeat(64);
const body = Buffer.from('{\n  "event" : "user_forms.submitted"\n}');
const sign = (bytes: Buffer, key = secret) => createHmac('sha512', key).update(bytes).digest();

describe('isSignedBy', () => {
	it('accepts the HMAC-SHA512 of the raw body', () => expect(isSignedBy([secret], body, sign(body))).toBe(true));

	it('accepts the signature of a binary body, and of an empty one', () => {
		const bytes = Buffer.from([0, 255, 0xef, 0xbb, 0xbf, 10]);
		expect(isSignedBy([secret], bytes, sign(bytes))).toBe(true);
		expect(isSignedBy([secret], Buffer.alloc(0), sign(Buffer.alloc(0)))).toBe(true);
	});

	it('accepts a signature by any of the given secrets, and by no other', () => {
		expect(isSignedBy([otherSecret, secret], body, sign(body))).toBe(true);
		expect(isSignedBy([secret, otherSecret], body, sign(body))).toBe(true);
		expect(isSignedBy([otherSecret], body, sign(body))).toBe(false);
		expect(isSignedBy([], body, sign(body))).toBe(false);
	});

	it('refuses the signature of the same JSON in another formatting', () => {
		const compact = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
		expect(isSignedBy([secret], compact, sign(body))).toBe(false);
	});

	it.each(Array.from({ length: body.length }, (_, at) => at))(
		'refuses the signature of a body whose byte %i was changed',
		(at) => {
			const changed = Buffer.from(body);
			changed[at] = (changed[at] ?? 0) ^ 1;
			expect(isSignedBy([secret], changed, sign(body))).toBe(false);
		},
	);

	it.each([0, 1, 31, 62, 63])('refuses a signature whose byte %i was changed', (at) => {
		const wrong = sign(body);
		wrong[at] = (wrong[at] ?? 0) ^ 1;
		expect(isSignedBy([secret], body, wrong)).toBe(false);
	});
});

describe('parseSignature', () => {
	const valid = sign(body).toString('hex');

	it.each([
		['missing', undefined],
		['null', null],
		['empty', ''],
		['127 digits', valid.slice(1)],
		['129 digits', `${valid}0`],
		['128 characters that are not hex', 'Z'.repeat(128)],
		['prefixed with sha512=', `sha512=${valid}`],
		['followed by a line break', `${valid}\n`],
		['preceded by a space', ` ${valid}`],
		['two headers, as Node joins them', `${valid}, ${valid}`],
		['a list', [valid]],
		['base64', createHmac('sha512', secret).update(body).digest('base64')],
		['a SHA-256 digest', createHmac('sha256', secret).update(body).digest('hex')],
	])('refuses a signature header that is %s', (_, value) => {
		expect(parseSignature(value)).toBeUndefined();
	});

	it('accepts a signature header of 128 hex digits in either case', () => {
		expect(parseSignature(valid)).toEqual(sign(body));
		expect(parseSignature(valid.toUpperCase())).toEqual(sign(body));
	});
});
