import fc from 'fast-check';
import { ARGYLE_ORIGINS, resolveEnvironment } from '../../nodes/Argyle/transport/environment';
import { ArgyleError } from '../../nodes/Argyle/transport/errors';
import { isSuccess, toResponse, traceOf } from '../../nodes/Argyle/transport/response';
import {
	areSameEvents,
	isSameConfig,
	type SubscriptionInput,
	subscriptionRequest,
} from '../../nodes/Argyle/api/subscriptionRequest';
import { anything, anyText } from './arbitraries.mts';

/** Gives what a function gives, or the ArgyleError it throws; throws any other. */
function outcome<T>(work: () => T): T | ArgyleError {
	try {
		return work();
	} catch (error) {
		if (error instanceof ArgyleError) return error;
		throw error;
	}
}

it('an answer of the request helper is read or is none', () => {
	const answers = fc.record(
		{
			statusCode: fc.oneof(fc.integer(), anything),
			headers: fc.oneof(fc.dictionary(fc.constantFrom('x-trace-id', 'a'), anything), anything),
			body: fc.oneof(
				fc.uint8Array().map((bytes) => Buffer.from(bytes)),
				anything,
			),
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(fc.oneof(answers, anything), (answer) => {
			const response = toResponse(answer);
			if (response === undefined) return;
			expect(Buffer.isBuffer(response.body)).toBe(true);
			expect(isSuccess(response)).toBe(response.statusCode >= 200 && response.statusCode < 300);
			expect(traceOf(response)).toMatch(/^( Trace ID [\w-]{1,100}\.)?$/);
		}),
		{ numRuns: 5_000 },
	);
});

describe('the environment of a credential', () => {
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

	it('is an allowed origin, or the credential is refused', () => {
		let allowed = 0;
		fc.assert(
			fc.property(
				fc.record({
					environment: fc.oneof(fc.constant('custom'), fc.constantFrom('sandbox', 'production'), anything),
					baseUrl: fc.oneof(urls, anyText, fc.webUrl(), anything),
				}),
				(credential) => {
					const environment = outcome(() => resolveEnvironment(credential));
					if (environment instanceof ArgyleError) return;
					const { origin, protocol, hostname } = new URL(environment.origin);
					expect(origin).toBe(environment.origin);
					if (credential.environment !== 'custom') return expect(ARGYLE_ORIGINS).toContain(origin);
					allowed++;
					const isLoopback = ['localhost', '[::1]'].includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
					expect(protocol === 'https:' || (protocol === 'http:' && isLoopback)).toBe(true);
				},
			),
			{ numRuns: 20_000 },
		);
		expect(allowed).toBeGreaterThan(200);
	});
});

describe('a subscription', () => {
	const events = fc.oneof(
		fc.subarray(['user_forms.submitted', 'accounts.added', 'paystubs.partially_synced', 'items.removed', '*']),
		fc.array(anything, { maxLength: 3 }),
		anything,
	);
	/** Mostly what is right, so that whole requests come out right too. */
	const mostly = (right: fc.Arbitrary<unknown>, ...others: Array<fc.Arbitrary<unknown>>) =>
		fc.oneof({ arbitrary: right, weight: 6 }, ...[...others, anything].map((arbitrary) => ({ arbitrary, weight: 1 })));
	const inputs: fc.Arbitrary<SubscriptionInput> = fc.record({
		name: mostly(fc.constant('Forms'), anyText),
		url: mostly(fc.webUrl(), anyText),
		events: mostly(events),
		includeResource: mostly(fc.constant(undefined), fc.boolean()),
		daysSynced: mostly(fc.constant(undefined), fc.integer()),
		items: mostly(fc.constant(undefined), fc.array(fc.string(), { maxLength: 40 }), fc.string()),
	});

	it('is a valid request, or refused in words', () => {
		let valid = 0;
		fc.assert(
			fc.property(inputs, (input) => {
				const request = outcome(() => subscriptionRequest(input));
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
		expect(valid).toBeGreaterThan(500);
	});

	it('is compared with whatever the service stored', () => {
		fc.assert(
			fc.property(
				fc.oneof(events, anything),
				fc.oneof(fc.dictionary(fc.string(), anything), anything),
				(storedEvents, config) => {
					expect(typeof areSameEvents(storedEvents, ['users.fully_synced'])).toBe('boolean');
					expect(typeof isSameConfig(config, { items: ['a'] })).toBe('boolean');
				},
			),
			{ numRuns: 5_000 },
		);
	});
});
