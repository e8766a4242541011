import { readOptions, readTarget } from '../../../scripts/contract/options.mts';

const SANDBOX = 'https://api-sandbox.argyle.com';
const PRODUCTION = 'https://api.argyle.com';
const KEY = { ARGYLE_API_KEY_ID: 'id', ARGYLE_API_KEY_SECRET: 'secret' };

const read = (args: string[], env: Record<string, string> = KEY) =>
	readTarget({ url: SANDBOX, ...readOptions(args) }, env);

it('a contract run reads Sandbox only, ten times a second, unless it is told otherwise', () => {
	expect(read([])).toEqual({
		origin: SANDBOX,
		key: { id: 'id', secret: 'secret' },
		environment: 'sandbox',
		writes: false,
		rate: 10,
		retryAfterMs: 30_000,
		minuteMs: 60_000,
		nowhere: 'https://contract.invalid',
	});
});

it('a contract run takes the port of deliveries and a key of the other environment', () => {
	const env = { ...KEY, ARGYLE_OTHER_API_KEY_ID: 'other', ARGYLE_OTHER_API_KEY_SECRET: 'one' };
	expect(read(['--write', '--deliver-to', 'https://demo.example.com', '--listen', '9000'], env)).toMatchObject({
		deliveries: { url: 'https://demo.example.com', port: 9_000 },
		otherKey: { id: 'other', secret: 'one' },
	});
});

it.each<[string, string[], Record<string, string>, RegExp]>([
	['no key', [], {}, /Set ARGYLE_API_KEY_ID and ARGYLE_API_KEY_SECRET/],
	['an environment that there is not', [], { ...KEY, ARGYLE_ENVIRONMENT: 'test' }, /must be sandbox or production/],
	['a proxy that may lead to Production', ['--url', 'https://proxy.example.com'], KEY, /Set ARGYLE_ENVIRONMENT/],
	['a key of Production', ['--url', PRODUCTION], { ...KEY, ARGYLE_ENVIRONMENT: 'production' }, /Add --production/],
	['the address of the other environment', ['--url', PRODUCTION], KEY, /is not the address of sandbox/],
	[
		'to write to the address of Production in other words',
		['--url', 'https://API.argyle.com.:443', '--write'],
		{ ...KEY, ARGYLE_ENVIRONMENT: 'sandbox' },
		/is not the address of sandbox/,
	],
	[
		'writing in Production',
		['--url', PRODUCTION, '--production', '--write'],
		{ ...KEY, ARGYLE_ENVIRONMENT: 'production' },
		/Nothing is written in Production/,
	],
	['an address to mail to without --write', ['--mail-to', 'me@example.com'], KEY, /need --write/],
	['an address that is not https', ['--url', 'http://api.example.com'], KEY, /must begin with https/],
	['an address with a path', ['--url', `${SANDBOX}/v2`], KEY, /without \/v2/],
	['no address', ['--url', 'sandbox'], KEY, /must be a complete address/],
	['more requests than Argyle allows', ['--rate', '41'], KEY, /--rate must be a whole number from 1 to 40/],
])('a contract run refuses %s', (_, args, env, message) => {
	expect(() => read(args, env)).toThrow(message);
});

it('a contract run refuses an option that there is not', () => {
	expect(() => readOptions(['--writes'])).toThrow("Unknown option '--writes'");
});
