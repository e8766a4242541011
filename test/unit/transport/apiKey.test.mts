import { connectionOf } from '../../../nodes/Argyle/transport/apiKey';

const credential = { environment: 'sandbox', apiKeyId: 'id', apiKeySecret: 'secret' };

describe('connectionOf', () => {
	it('is one for all items of an execution whose credential has the same values', () => {
		const execution = {};
		const connection = connectionOf(execution, credential);
		expect(connectionOf(execution, { ...credential })).toBe(connection);
		expect(connectionOf({}, credential)).not.toBe(connection);
	});

	it.each(['environment', 'apiKeyId', 'apiKeySecret'])('is another one for an item with another %s', (field) => {
		const execution = {};
		const connection = connectionOf(execution, credential);
		const other = connectionOf(execution, { ...credential, [field]: 'production' });
		expect(other).not.toBe(connection);
		expect(other.credential[field]).toBe('production');
	});

	it('has the same digest for the same key of the same environment only', () => {
		const digest = (changes: object) => connectionOf({}, { ...credential, ...changes }).keyDigest;
		expect(digest({})).toMatch(/^[0-9a-f]{16}$/);
		expect(digest({ apiKeySecret: 'replaced' })).toBe(digest({}));
		expect(digest({ apiKeyId: 'other' })).not.toBe(digest({}));
		expect(digest({ environment: 'production' })).not.toBe(digest({}));
	});

	it('is the same for a key that was pasted with blanks around it', () => {
		const { keyDigest, keySecrets } = connectionOf({}, credential);
		const pasted = connectionOf({}, { ...credential, apiKeyId: ' id\n', apiKeySecret: '\tsecret ' });
		expect(pasted).toMatchObject({ keyDigest, keySecrets });
	});

	it('names everything that must not appear in an error', () => {
		expect(connectionOf({}, credential).keySecrets).toEqual(['secret', 'id', btoa('id:secret')]);
	});
});
