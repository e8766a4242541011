import fc from 'fast-check';
import { isJsonRecord } from '../../nodes/Argyle/utils/json';
import { isSubscribed, readEventMessage } from '../../nodes/Argyle/api/eventMessage';
import { isSignature, isSignedBy } from '../../nodes/Argyle/api/signature';
import { isSecret, readState, retireSecrets, activeSecrets, writeState } from '../../nodes/Argyle/trigger/staticData';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { bodies, forged, HEADER, headerValues, messages } from './attacks.mts';
import { anyBytes, anything, anyText } from './arbitraries.mts';

const hex64 = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });

describe('a signature', () => {
	it('is that of these bytes under one of the secrets, in either case, and nothing else', () => {
		fc.assert(
			fc.property(
				fc.array(anyText, { maxLength: 3 }),
				bodies,
				headerValues,
				fc.boolean(),
				(secrets, body, value, isUpper) => {
					expect(isSignedBy(secrets, body, value)).toBe(false);
					for (const secret of secrets) {
						const right = isUpper ? sign(body, secret).toUpperCase() : sign(body, secret);
						expect(isSignedBy(secrets, body, right)).toBe(true);
						expect(isSignedBy(secrets, Buffer.concat([body, Buffer.from([0])]), right)).toBe(false);
					}
				},
			),
			{ numRuns: 5_000 },
		);
	});

	it('is none when forged with the right secret at hand', () => {
		fc.assert(
			fc.property(
				hex64.chain((secret) => fc.tuple(fc.constant(secret), forged(secret))),
				([secret, { headers, rawBody }]) => {
					expect(Buffer.isBuffer(rawBody) && isSignedBy([secret], rawBody, headers[HEADER])).toBe(false);
				},
			),
			{ numRuns: 5_000 },
		);
	});

	it('has 128 hex digits, whatever else there is', () => {
		fc.assert(
			fc.property(fc.oneof(headerValues, anything), (value) => {
				expect(isSignature(value)).toBe(
					typeof value === 'string' && value.length === 128 && !/[^0-9a-fA-F]/.test(value),
				);
			}),
			{ numRuns: 10_000 },
		);
	});
});

describe('the state', () => {
	const entry = fc.record({ secret: fc.oneof(hex64, anything), until: fc.oneof(fc.integer(), anything) });
	const staticData = fc.record(
		{
			subscriptionId: anything,
			url: anything,
			secret: fc.oneof(hex64, anything),
			retired: fc.oneof(fc.array(fc.oneof(entry, anything), { maxLength: 15 }), anything),
			other: anything,
		},
		{ requiredKeys: [] },
	);

	it('is read from any static data, with secrets that are secrets', () => {
		fc.assert(
			fc.property(staticData, fc.integer(), (data, now) => {
				const state = readState(
					JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? 1 : value))),
				);
				expect([undefined, 'string']).toContain(
					state.subscriptionId === undefined ? undefined : typeof state.subscriptionId,
				);
				expect([undefined, 'string']).toContain(state.url === undefined ? undefined : typeof state.url);
				expect(activeSecrets(state, now).every(isSecret)).toBe(true);
				const retired = retireSecrets(state.retired, [state.secret, data.other], now);
				expect(retired.length).toBeLessThanOrEqual(10);
				for (const { until } of retired) expect(until).toBeGreaterThan(now);
			}),
			{ numRuns: 5_000 },
		);
	});

	it('comes back from static data as it was written', () => {
		fc.assert(
			fc.property(
				fc.record({
					subscriptionId: fc.option(fc.uuid(), { nil: undefined }),
					url: fc.option(fc.webUrl(), { nil: undefined }),
					secret: fc.option(hex64, { nil: undefined }),
					retired: fc.array(fc.record({ secret: hex64, until: fc.integer() }), { maxLength: 10 }),
				}),
				fc.dictionary(fc.constantFrom('secret', 'retired', 'url', 'subscriptionId', 'other'), fc.jsonValue()),
				(state, before) => {
					const data = JSON.parse(JSON.stringify(before));
					writeState(data, state);
					expect(readState(JSON.parse(JSON.stringify(data)))).toEqual(state);
				},
			),
			{ numRuns: 3_000 },
		);
	});
});

describe('the event message', () => {
	it('is read from any bytes, with a name and data, or there is none', () => {
		fc.assert(
			fc.property(fc.oneof(anyBytes, bodies, messages), anything, (bytes, events) => {
				const message = readEventMessage(bytes);
				if (message === undefined) return;
				expect(message.event).toEqual(expect.stringMatching(/./s));
				expect(isJsonRecord(message.data)).toBe(true);
				expect(typeof isSubscribed(message.event, events)).toBe('boolean');
			}),
			{ numRuns: 10_000 },
		);
	});

	it('is found in what Argyle sends', () => {
		expect(fc.sample(messages, 500).filter((bytes) => readEventMessage(bytes) !== undefined).length).toBeGreaterThan(
			250,
		);
	});
});
