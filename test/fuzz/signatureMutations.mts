import { createHash, createHmac } from 'node:crypto';
import { sign } from '../support/fakeArgyle/signedEvent.mts';

const digest = (algorithm: string, key: string | Buffer, body: Buffer) => createHmac(algorithm, key).update(body);

const replaceAt = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at + 1);

/**
 * Ways to make a signature header that must not be taken for some bytes. Each takes the bytes, the right secret and a
 * number that varies it; gives the header's value, of whatever type. None gives the right digest.
 */
export const FORGERIES: Record<string, (body: Buffer, secret: string, vary: number) => unknown> = {
	missing: () => undefined,
	null: () => null,
	empty: () => '',
	'a number': (_, __, vary) => vary,
	'an object': (body, secret) => ({ value: sign(body, secret) }),
	'bytes of the right digest': (body, secret) => digest('sha512', secret, body).digest(),
	'a list of the right one': (body, secret) => [sign(body, secret)],
	'the right one twice in a list': (body, secret) => [sign(body, secret), sign(body, secret)],
	'the right one twice, joined': (body, secret) => `${sign(body, secret)}, ${sign(body, secret)}`,
	'the right one after a wrong one': (body, secret) => `${'0'.repeat(128)}, ${sign(body, secret)}`,
	'127 characters, the end missing': (body, secret) => sign(body, secret).slice(0, 127),
	'127 characters, the start missing': (body, secret) => sign(body, secret).slice(1),
	'129 characters, one before': (body, secret) => `0${sign(body, secret)}`,
	'129 characters, one behind': (body, secret) => `${sign(body, secret)}0`,
	'any share of the right one': (body, secret, vary) => sign(body, secret).slice(0, vary % 128),
	'a blank before': (body, secret) => ` ${sign(body, secret)}`,
	'a line break behind': (body, secret) => `${sign(body, secret)}\n`,
	'a NUL behind': (body, secret) => `${sign(body, secret)}\0`,
	'prefix sha512=': (body, secret) => `sha512=${sign(body, secret)}`,
	'prefix 0x': (body, secret) => `0x${sign(body, secret)}`,
	quoted: (body, secret) => `"${sign(body, secret)}"`,
	'one digit changed': (body, secret, vary) => {
		const right = sign(body, secret);
		const at = vary % 128;
		return replaceAt(right, at, ((parseInt(right.charAt(at), 16) + 1 + (vary % 15)) % 16).toString(16));
	},
	'one digit changed, upper case': (body, secret, vary) => {
		const right = sign(body, secret).toUpperCase();
		const at = vary % 128;
		return replaceAt(right, at, right[at] === 'F' ? 'E' : 'F');
	},
	'one digit in full width': (body, secret, vary) => replaceAt(sign(body, secret), vary % 128, '\uff10'),
	'two digits swapped for one that is no hex': (body, secret, vary) => replaceAt(sign(body, secret), vary % 128, 'g'),
	'upper case, of another secret': (body, _, vary) => sign(body, `other ${vary}`).toUpperCase(),
	'another secret': (body, _, vary) => sign(body, vary.toString(16).padStart(64, '0')),
	'an empty secret': (body) => sign(body, ''),
	'the secret in upper case': (body, secret) => sign(body, secret.toUpperCase()),
	"the secret's bytes instead of its hex": (body, secret) =>
		digest('sha512', Buffer.from(secret, 'hex'), body).digest('hex'),
	'the right digest of another body': (body, secret, vary) =>
		sign(Buffer.concat([body, Buffer.from(`${vary}`)]), secret),
	'the digest of the digest': (body, secret) => sign(sign(body, secret), secret),
	'a plain hash of secret and body': (body, secret) => createHash('sha512').update(secret).update(body).digest('hex'),
	'a plain hash of the body': (body) => createHash('sha512').update(body).digest('hex'),
	'SHA3-512': (body, secret) => digest('sha3-512', secret, body).digest('hex'),
	'SHA-256': (body, secret) => digest('sha256', secret, body).digest('hex'),
	'SHA-256 twice': (body, secret) => digest('sha256', secret, body).digest('hex').repeat(2),
	'SHA-384': (body, secret) => digest('sha384', secret, body).digest('hex'),
	base64: (body, secret) => digest('sha512', secret, body).digest('base64'),
	zeros: () => '0'.repeat(128),
};
