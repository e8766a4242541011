import { apiKeyOf } from '../../../nodes/Argyle/transport/apiKey';

const credential = { environment: 'sandbox', apiKeyId: 'id', apiKeySecret: 'secret' };

describe('apiKeyOf', () => {
	it('is one for all items of an execution whose credential has the same values', () => {
		const execution = {};
		const apiKey = apiKeyOf(execution, credential);
		expect(apiKeyOf(execution, { ...credential })).toBe(apiKey);
		expect(apiKeyOf({}, credential)).not.toBe(apiKey);
	});

	it.each(['environment', 'apiKeyId', 'apiKeySecret'])('is another one for an item with another %s', (field) => {
		const execution = {};
		const apiKey = apiKeyOf(execution, credential);
		const other = apiKeyOf(execution, { ...credential, [field]: 'production' });
		expect(other).not.toBe(apiKey);
		expect(other.credential[field]).toBe('production');
	});

	it('has the same digest for the same key of the same environment only', () => {
		const digest = (changes: object) => apiKeyOf({}, { ...credential, ...changes }).keyDigest;
		expect(digest({})).toMatch(/^[0-9a-f]{16}$/);
		expect(digest({ apiKeySecret: 'replaced' })).toBe(digest({}));
		expect(digest({ apiKeyId: 'other' })).not.toBe(digest({}));
		expect(digest({ environment: 'production' })).not.toBe(digest({}));
	});

	it('is the same for a key that was pasted with blanks around it', () => {
		const { keyDigest, keySecrets } = apiKeyOf({}, credential);
		const pasted = apiKeyOf({}, { ...credential, apiKeyId: ' id\n', apiKeySecret: '\tsecret ' });
		expect(pasted).toMatchObject({ keyDigest, keySecrets });
	});

	it('names everything that must not appear in an error', () => {
		expect(apiKeyOf({}, credential).keySecrets).toEqual(['secret', 'id', btoa('id:secret')]);
	});
});
