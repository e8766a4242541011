import type { Environment } from '../../../nodes/Argyle/transport/environment';
import { fileUrl, redirectedUrl, targetOf } from '../../../nodes/Argyle/transport/fileAddress';

const PRODUCTION: Environment = { origin: 'https://api.argyle.com', label: 'Production' };
const PROXY: Environment = { origin: 'https://argyle-proxy.example.com', label: 'Custom Base URL' };
const LOOPBACK: Environment = { origin: 'http://127.0.0.1:4000', label: 'Custom Base URL' };

describe('fileUrl', () => {
	it.each([
		['api.argyle.com/v2/reports/1/pdf', 'https://api.argyle.com/v2/reports/1/pdf'],
		['https://api.argyle.com/v2/reports/1/pdf', 'https://api.argyle.com/v2/reports/1/pdf'],
		['/v2/reports/1/pdf', 'https://api.argyle.com/v2/reports/1/pdf'],
		['//files.example.com/1', 'https://files.example.com/1'],
	])('reads the address %s', (address, url) => expect(fileUrl(address, PRODUCTION.origin).href).toBe(url));

	it.each(['https://', 'not an address', 'javascript:alert(1)'])('refuses %p, which is no address', (address) =>
		expect(() => fileUrl(address, PRODUCTION.origin)).toThrow("can't be used"),
	);
});

describe('targetOf', () => {
	it.each([
		[PRODUCTION, 'https://api.argyle.com/v2/f?a=b%2B#c'],
		[PROXY, 'https://api.argyle.com/v2/f?a=b%2B'],
		[PROXY, 'https://api-sandbox.argyle.com/v2/f?a=b%2B'],
		[PROXY, 'https://argyle-proxy.example.com/v2/f?a=b%2B'],
		[LOOPBACK, 'http://127.0.0.1:4000/v2/f?a=b%2B'],
	])("with %j, asks at the credential's own origin for %s", (environment, url) =>
		expect(targetOf(new URL(url), environment)).toEqual({ path: '/v2/f?a=b%2B' }),
	);

	it.each([
		[PRODUCTION, 'https://files.example.com'],
		[PRODUCTION, 'https://argyle.com'],
		[PRODUCTION, 'https://api.argyle.com:444'],
		[PRODUCTION, 'https://api.argyle.com.example.com'],
		[PRODUCTION, 'https://127.0.0.1:4000'],
		[LOOPBACK, 'http://127.0.0.1:4001'],
		[LOOPBACK, 'http://localhost:4000'],
	])('with %j, %s is another host, which does not get the key', (environment, origin) =>
		expect(targetOf(new URL(`${origin}/f`), environment)).toEqual({ origin, path: '/f' }),
	);

	it.each([
		[PRODUCTION, 'http://api.argyle.com/f'],
		[PRODUCTION, 'http://127.0.0.1/f'],
		[PROXY, 'http://127.0.0.1/f'],
		[LOOPBACK, 'http://files.example.com/f'],
		[PRODUCTION, 'ftp://files.example.com/f'],
		[PRODUCTION, 'file:///etc/passwd'],
		[PRODUCTION, 'https://name:word@files.example.com/f'],
	])('with %j, refuses %s', (environment, url) =>
		expect(() => targetOf(new URL(url), environment)).toThrow("can't be used"),
	);
});

describe('redirectedUrl', () => {
	const asked = (...paths: string[]) => paths.map((path) => new URL(path, 'https://files.example.com'));

	it.each([
		['/b', 'https://files.example.com/b'],
		['https://other.example.com/a', 'https://other.example.com/a'],
	])('reads the Location %s relative to what was asked last', (location, url) =>
		expect(redirectedUrl(location, asked('/1', '/2', '/a')).href).toBe(url),
	);

	it.each([
		['/1', ['/1', '/2'], 'in a circle'],
		['/5', ['/1', '/2', '/3', '/4'], 'more than 3 times'],
		[undefined, ['/1'], 'leads nowhere'],
		['', ['/1'], 'leads nowhere'],
		['https://', ['/1'], 'not an address'],
	])('refuses the Location %p after %j', (location, paths, why) => {
		expect(() => redirectedUrl(location, asked(...paths))).toThrow(
			expect.objectContaining({ description: expect.stringContaining(why) }),
		);
	});
});
