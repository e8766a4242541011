import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { subscriptionRequest } from '../../nodes/Argyle/shared/subscriptionRequest';
import { ARGYLE_ORIGINS, resolveEnvironment } from '../../nodes/Argyle/transport/environment';
import { ArgyleError } from '../../nodes/Argyle/transport/errors';
import { anything, anyText } from './arbitraries.mts';

/** Rethrows any error but an ArgyleError. */
function resultOrError<T>(work: () => T): T | ArgyleError {
	try {
		return work();
	} catch (error) {
		if (error instanceof ArgyleError) return error;
		throw error;
	}
}

/** Hosts on loopback, elsewhere, and elsewhere in disguise. */
const hosts = fc.oneof(
	fc.constantFrom(
		'localhost',
		'127.0.0.1',
		'127.1',
		'[::1]',
		'0x7f.1',
		'localhost.evil.example',
		'127.0.0.1.nip.io',
		'evil.example',
		'::1',
		'0.0.0.0',
		'[::ffff:127.0.0.1]',
		'\uff10',
		'ⓔvil.example',
	),
	fc.domain(),
	fc.ipV4(),
	fc.ipV6().map((ip) => `[${ip}]`),
);
/** Base URLs with everything around the host that may be allowed, or may hide another host. */
const urls = fc
	.tuple(
		fc.constantFrom(
			'http://',
			'https://',
			'HTTP://',
			'https:',
			'ftp://',
			'file://',
			'javascript:',
			' http://',
			'h\nttp://',
			'',
		),
		fc.constantFrom('', 'user@', 'user:pass@', 'localhost@', '@'),
		hosts,
		fc.constantFrom('', ':80', ':99999', '/', '/v2', '/?q', '#', '\\evil.example', '%2f', '\t'),
	)
	.map((parts) => parts.join(''));

it('accepts a custom base URL only with https, or with http on loopback', () => {
	let accepted = 0;
	fc.assert(
		fc.property(
			fc.record({
				environment: fc.oneof(fc.constant('custom'), fc.constantFrom('sandbox', 'production'), anything),
				baseUrl: fc.oneof(urls, anyText, fc.webUrl(), anything),
			}),
			(entered) => {
				const resolved = resultOrError(() => resolveEnvironment(Object.assign<IDataObject, object>({}, entered)));
				if (resolved instanceof ArgyleError) return;
				const { origin, protocol, hostname } = new URL(resolved.origin);
				expect(origin).toBe(resolved.origin);
				if (entered.environment !== 'custom') return expect(ARGYLE_ORIGINS).toContain(origin);
				accepted++;
				const isLoopback = ['localhost', '[::1]'].includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
				expect(protocol === 'https:' || (protocol === 'http:' && isLoopback)).toBe(true);
			},
		),
		{ numRuns: 20_000 },
	);
	expect(accepted).toBeGreaterThan(0);
});

const events = fc.oneof(
	fc.subarray(['user_forms.submitted', 'accounts.added', 'paystubs.partially_synced', 'items.removed', '*']),
	fc.array(anything, { maxLength: 3 }),
	anything,
);
/** Valid most of the time, so that whole requests are valid often enough. */
const mostly = (valid: fc.Arbitrary<unknown>, ...others: Array<fc.Arbitrary<unknown>>) =>
	fc.oneof({ arbitrary: valid, weight: 6 }, ...[...others, anything].map((arbitrary) => ({ arbitrary, weight: 1 })));
const inputs = fc.record({
	name: mostly(fc.constant('Forms'), anyText),
	url: mostly(fc.webUrl(), anyText),
	events: mostly(events),
	includeResource: mostly(fc.constant(undefined), fc.boolean()),
	daysSynced: mostly(fc.constant(undefined), fc.integer()),
	items: mostly(fc.constant(undefined), fc.array(fc.string(), { maxLength: 40 }), fc.string()),
});

it('makes a valid subscription request of any input, or throws an ArgyleError', () => {
	let valid = 0;
	fc.assert(
		fc.property(inputs, (input) => {
			const request = resultOrError(() => subscriptionRequest(input));
			if (request instanceof ArgyleError) return;
			valid++;
			expect(request.name.trim()).not.toBe('');
			expect(new URL(request.url).protocol).toMatch(/^https?:$/);
			expect(request.events.length).toBeGreaterThan(0);
			expect(new Set(request.events).size).toBe(request.events.length);
			expect(request.events.includes('*') && request.events.length > 1).toBe(false);
			const { days_synced: days = 1, items = ['one'] } = request.config ?? {};
			expect(Number.isSafeInteger(days) && days > 0).toBe(true);
			expect(items.length > 0 && items.length <= 30 && items.every((item) => item.trim() !== '')).toBe(true);
			expect(JSON.parse(JSON.stringify(request))).toEqual(request);
		}),
		{ numRuns: 20_000 },
	);
	expect(valid).toBeGreaterThan(0);
});
