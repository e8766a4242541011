import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { hasReceipts, resolveEnvironment } from '../../../nodes/Argyle/transport/environment';

const custom = (baseUrl?: string | number | null) => resolveEnvironment({ environment: 'custom', baseUrl });

describe('resolveEnvironment', () => {
	it('resolves Sandbox and Production to their origins, and defaults to Sandbox', () => {
		expect(resolveEnvironment({ environment: 'sandbox' })).toEqual({
			origin: 'https://api-sandbox.argyle.com',
			label: 'Sandbox',
		});
		expect(resolveEnvironment({ environment: 'production' })).toEqual({
			origin: 'https://api.argyle.com',
			label: 'Production',
		});
		expect(resolveEnvironment({}).label).toBe('Sandbox');
	});

	it('ignores the base URL when the environment is not custom', () => {
		expect(resolveEnvironment({ environment: 'production', baseUrl: 'http://evil.example' }).origin).toBe(
			'https://api.argyle.com',
		);
	});

	it.each([
		['https://proxy.example.com', 'https://proxy.example.com'],
		[' https://proxy.example.com:8443/ ', 'https://proxy.example.com:8443'],
		// As copied from a page.
		['\u00a0https://proxy.example.com\u00a0', 'https://proxy.example.com'],
		['http://localhost:4010', 'http://localhost:4010'],
		['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
		['http://127.9.8.7', 'http://127.9.8.7'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('accepts %p as a custom base URL', (baseUrl, origin) =>
		expect(custom(baseUrl)).toEqual({ origin, label: 'Custom Base URL' }),
	);

	it.each([
		['', 'empty'],
		['   ', 'empty'],
		[undefined, 'empty'],
		[7, 'empty'],
		['proxy.example.com', 'complete address'],
		['/v2', 'complete address'],
		['http://proxy.example.com', 'https://'],
		['http://127.0.0.1.evil.example', 'https://'],
		['http://localhost.evil.example', 'https://'],
		['http://10.0.0.1', 'https://'],
		['ftp://localhost', 'https://'],
		['https://user@proxy.example.com', 'user name'],
		['https://:word@proxy.example.com', 'user name'],
		['https://proxy.example.com/v2', '/v2'],
		['https://proxy.example.com/?a=b', '/v2'],
		['https://proxy.example.com/#a', '/v2'],
	])('refuses %p as a custom base URL and says why', (baseUrl, why) => {
		expect(() => custom(baseUrl)).toThrow(ArgyleError);
		expect(() => custom(baseUrl)).toThrow(
			expect.objectContaining({
				message: "The Base URL of the Argyle credential can't be used",
				description: expect.stringContaining(why),
			}),
		);
	});
});

describe('hasReceipts', () => {
	it('finds receipts in every environment but Sandbox', () => {
		expect(hasReceipts(resolveEnvironment({ environment: 'sandbox' }))).toBe(false);
		expect(hasReceipts(resolveEnvironment({ environment: 'production' }))).toBe(true);
		expect(hasReceipts(custom('https://proxy.example.com'))).toBe(true);
	});
});
