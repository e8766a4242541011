import { createHmac } from 'node:crypto';
import { isSignedBy, parseSignature } from '../../../nodes/Argyle/api/signature';

const secret = 'a'.repeat(64);
const otherSecret = 'b'.repeat(64);
const body = Buffer.from('{\n  "event" : "user_forms.submitted"\n}');
const sign = (bytes: Buffer, key = secret) => createHmac('sha512', key).update(bytes).digest();

describe('isSignedBy', () => {
	it('accepts the HMAC-SHA512 of the raw bytes', () => expect(isSignedBy([secret], body, sign(body))).toBe(true));

	it('accepts a body of any bytes, and an empty one', () => {
		const bytes = Buffer.from([0, 255, 0xef, 0xbb, 0xbf, 10]);
		expect(isSignedBy([secret], bytes, sign(bytes))).toBe(true);
		expect(isSignedBy([secret], Buffer.alloc(0), sign(Buffer.alloc(0)))).toBe(true);
	});

	it('accepts each of several secrets, and none beside them', () => {
		expect(isSignedBy([otherSecret, secret], body, sign(body))).toBe(true);
		expect(isSignedBy([secret, otherSecret], body, sign(body))).toBe(true);
		expect(isSignedBy([otherSecret], body, sign(body))).toBe(false);
		expect(isSignedBy([], body, sign(body))).toBe(false);
	});

	it('refuses the same JSON written in another way', () => {
		const compact = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
		expect(isSignedBy([secret], compact, sign(body))).toBe(false);
	});

	it.each(Array.from({ length: body.length }, (_, at) => at))('refuses the body with byte %i changed', (at) => {
		const changed = Buffer.from(body);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(isSignedBy([secret], changed, sign(body))).toBe(false);
	});

	it.each([0, 1, 31, 62, 63])('refuses a signature whose byte %i is changed', (at) => {
		const wrong = sign(body);
		wrong[at] = (wrong[at] ?? 0) ^ 1;
		expect(isSignedBy([secret], body, wrong)).toBe(false);
	});
});

describe('parseSignature', () => {
	const right = sign(body).toString('hex');

	it.each([
		['nothing', undefined],
		['null', null],
		['an empty text', ''],
		['127 digits', right.slice(1)],
		['129 digits', `${right}0`],
		['128 characters that are not hex', 'Z'.repeat(128)],
		['a prefix', `sha512=${right}`],
		['a trailing line break', `${right}\n`],
		['a leading blank', ` ${right}`],
		['two headers, as Node joins them', `${right}, ${right}`],
		['a list', [right]],
		['base64', createHmac('sha512', secret).update(body).digest('base64')],
		['the shorter SHA-256', createHmac('sha256', secret).update(body).digest('hex')],
	])('refuses %s', (_, value) => {
		expect(parseSignature(value)).toBeUndefined();
	});

	it('accepts 128 hex digits in either case', () => {
		expect(parseSignature(right)).toEqual(sign(body));
		expect(parseSignature(right.toUpperCase())).toEqual(sign(body));
	});
});
