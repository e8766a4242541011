import { createHmac } from 'node:crypto';
import {
	deriveSecret,
	isArgyleAddress,
	isSubscribed,
	parseEventMessage,
	parseSignature,
	signatureOf,
	signingSecret,
	submittedForm,
} from '../../../nodes/Argyle/api/delivery';

const message = {
	event: 'user_forms.submitted',
	name: 'My subscription',
	data: { account: 'a', user: 'u', user_form: 'f' },
};

describe('parseEventMessage', () => {
	it('keeps an event message as delivered, with the fields it does not know', () => {
		const newer = { ...message, sent_at: '2027-01-01', data: { ...message.data, extra: ['ä', 1, null] } };
		expect(parseEventMessage(Buffer.from(JSON.stringify(newer, null, 2)))).toEqual(newer);
	});

	it.each([
		'',
		'null',
		'[]',
		'"text"',
		'1',
		'{',
		'{}',
		'{"event":"x"}',
		'{"event":"","data":{}}',
		'{"event":1,"data":{}}',
		'{"event":"x","data":[]}',
		'{"event":"x","data":null}',
	])('returns undefined for %p, which is no event message', (text) =>
		expect(parseEventMessage(Buffer.from(text))).toBeUndefined(),
	);
});

describe('isSubscribed', () => {
	it.each([
		['user_forms.submitted', ['accounts.added', 'user_forms.submitted'], true],
		['user_forms.removed', ['user_forms.submitted'], false],
		['something.new', ['*'], true],
		['user_forms.submitted', 'accounts.added, user_forms.submitted', true],
		['accounts.added', 'user_forms.submitted', false],
		['something.new', '*', true],
		['user_forms.submitted', [], false],
		['user_forms.submitted', undefined, false],
		['7', 7, false],
	])('takes %p, where the saved events are %j, for one of them: %p', (event, saved, expected) =>
		expect(isSubscribed(event, saved)).toBe(expected),
	);
});

const url = 'https://n8n.example.com/webhook/x/webhook';

describe('deriveSecret', () => {
	it('is the HKDF-SHA256 of the key secret with the URL, so that every process and version has the same', () =>
		// From OpenSSL: openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:… -kdfopt info:… HKDF
		expect(deriveSecret({ apiKeySecret: 'key-secret' }, url)).toBe(
			'ec7b263b2f8e99c02e5d14b32c2fff5ae0c7e1c8db2323d95bdb5db8b642342c',
		));

	it('differs by URL and by key secret, and not by the key ID or blanks around the secret', () => {
		const derived = [
			deriveSecret({ apiKeyId: 'one', apiKeySecret: 'a' }, url),
			deriveSecret({ apiKeyId: 'one', apiKeySecret: 'b' }, url),
			deriveSecret({ apiKeyId: 'one', apiKeySecret: 'a' }, `${url}/`),
		];
		expect(new Set(derived).size).toBe(3);
		expect(deriveSecret({ apiKeyId: 'other', apiKeySecret: 'a' }, url)).toBe(derived[0]);
		expect(deriveSecret({ apiKeySecret: ' a\n' }, url)).toBe(derived[0]);
	});

	it('gives each URL its own secret, however long it is', () => {
		const long = `${url}/${'x'.repeat(4_000)}`;
		const derived = [long, `${long}y`].map((each) => deriveSecret({ apiKeySecret: 'a' }, each));
		expect(derived).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
		expect(derived[0]).not.toBe(derived[1]);
	});
});

const secret = 'a'.repeat(64);
const otherSecret = 'b'.repeat(64);
const body = Buffer.from('{\n  "event" : "user_forms.submitted"\n}');
const sign = (bytes: Buffer, key = secret) => createHmac('sha512', key).update(bytes).digest();

const isSignedBy = (secrets: string[], bytes: Buffer, digest: Buffer) =>
	signingSecret(secrets, bytes, digest) !== undefined;

describe('signingSecret', () => {
	it('accepts the HMAC-SHA512 of the raw body, also of a binary and an empty one', () => {
		for (const bytes of [body, Buffer.from([0, 255, 0xef, 0xbb, 0xbf, 10]), Buffer.alloc(0)])
			expect(isSignedBy([secret], bytes, sign(bytes))).toBe(true);
	});

	it('accepts a signature by any of the given secrets, and by no other', () => {
		expect(signingSecret([otherSecret, secret], body, sign(body))).toBe(secret);
		expect(isSignedBy([secret, otherSecret], body, sign(body))).toBe(true);
		expect(isSignedBy([otherSecret], body, sign(body))).toBe(false);
		expect(isSignedBy([], body, sign(body))).toBe(false);
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

it('signatureOf signs a body as Argyle does', () =>
	expect(signatureOf(secret, body.toString())).toBe(sign(body).toString('hex')));

it('submittedForm is the ID of a submitted form, and nothing for other events or no ID', () => {
	const id = '018f4d2e-6a43-4f53-9f0b-3f4d1f0f7a11';
	expect(submittedForm({ event: 'user_forms.submitted', data: { user_form: id } })).toBe(id);
	expect(submittedForm({ event: 'user_forms.removed', data: { user_form: id } })).toBeUndefined();
	for (const data of [{ user_form: '../webhooks' }, { user_form: 7 }, {}, [id], null, undefined])
		expect(submittedForm({ event: 'user_forms.submitted', data })).toBeUndefined();
});
