import { deriveSecret } from '../../../nodes/Argyle/api/secret';

const url = 'https://n8n.example.com/webhook/x/webhook';

describe('deriveSecret', () => {
	it('is the HKDF-SHA256 of the key secret with the URL, so that every process and version has the same', () =>
		// From OpenSSL: openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:… -kdfopt info:… HKDF
		expect(deriveSecret({ apiKeySecret: 'key-secret' }, url)).toBe(
			'ec7b263b2f8e99c02e5d14b32c2fff5ae0c7e1c8db2323d95bdb5db8b642342c',
		));

	it('differs by URL and by key secret, and not by the key ID', () => {
		const derived = [
			deriveSecret({ apiKeyId: 'one', apiKeySecret: 'a' }, url),
			deriveSecret({ apiKeyId: 'one', apiKeySecret: 'b' }, url),
			deriveSecret({ apiKeyId: 'one', apiKeySecret: 'a' }, `${url}/`),
		];
		expect(new Set(derived).size).toBe(3);
		expect(deriveSecret({ apiKeyId: 'other', apiKeySecret: 'a' }, url)).toBe(derived[0]);
		for (const secret of derived) expect(secret).toMatch(/^[0-9a-f]{64}$/);
	});
});
