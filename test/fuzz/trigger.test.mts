import fc from 'fast-check';
import { isSubscribed, parseEventMessage } from '../../nodes/Argyle/api/eventMessage';
import { isSignedBy, parseSignature } from '../../nodes/Argyle/api/signature';
import { matches } from '../../nodes/Argyle/trigger/desiredSubscription';
import { activeSecrets, isSecret, readState, retireSecrets, writeState } from '../../nodes/Argyle/trigger/staticData';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { isJson } from '../support/json.mts';
import {
	anyBytes,
	anything,
	anyText,
	deliveryBodies,
	eventMessages,
	signatureValues,
	triggerSecret,
} from './arbitraries.mts';
import { forgedSignatures, SIGNATURE_HEADER } from './signatureMutations.mts';

function isValidSignature(secrets: string[], body: Buffer, header: unknown): boolean {
	const digest = parseSignature(header);
	return digest !== undefined && isSignedBy(secrets, body, digest);
}

it('accepts exactly the signatures of the body under one of the secrets, in upper or lower case', () => {
	fc.assert(
		fc.property(
			fc.array(anyText, { maxLength: 3 }),
			deliveryBodies,
			signatureValues,
			fc.boolean(),
			(secrets, body, guessed, isUpper) => {
				expect(isValidSignature(secrets, body, guessed)).toBe(false);
				for (const secret of secrets) {
					const signature = isUpper ? sign(body, secret).toUpperCase() : sign(body, secret);
					expect(isValidSignature(secrets, body, signature)).toBe(true);
					expect(isValidSignature(secrets, Buffer.concat([body, Buffer.from([0])]), signature)).toBe(false);
				}
			},
		),
		{ numRuns: 5_000 },
	);
});

it('accepts no signature that was forged from the right one', () => {
	fc.assert(
		fc.property(
			triggerSecret.chain((secret) => fc.tuple(fc.constant(secret), forgedSignatures(secret))),
			([secret, { headers, rawBody }]) => {
				expect(Buffer.isBuffer(rawBody) && isValidSignature([secret], rawBody, headers[SIGNATURE_HEADER])).toBe(false);
			},
		),
		{ numRuns: 5_000 },
	);
});

it('parses a signature header only if it is 128 hex digits', () => {
	fc.assert(
		fc.property(fc.oneof(signatureValues, anything), (value) => {
			const isHex = typeof value === 'string' && value.length === 128 && !/[^0-9a-fA-F]/.test(value);
			expect(parseSignature(value)?.length).toBe(isHex ? 64 : undefined);
		}),
		{ numRuns: 10_000 },
	);
});

it('reads a valid state from any static data', () => {
	const retiredSecret = fc.record({
		secret: fc.oneof(triggerSecret, anything),
		until: fc.oneof(fc.integer(), anything),
	});
	const staticData = fc.record(
		{
			subscriptionId: anything,
			url: anything,
			secret: fc.oneof(triggerSecret, anything),
			retired: fc.oneof(fc.array(fc.oneof(retiredSecret, anything), { maxLength: 15 }), anything),
			other: anything,
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(staticData, fc.integer(), (data, now) => {
			const state = readState(JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? 1 : value))));
			for (const value of [state.subscriptionId, state.url]) expect(['undefined', 'string']).toContain(typeof value);
			expect(activeSecrets(state, now).every(isSecret)).toBe(true);
			const retired = retireSecrets(state.retired, [state.secret, data.other], now);
			expect(retired.length).toBeLessThanOrEqual(10);
			for (const { until } of retired) expect(until).toBeGreaterThan(now);
		}),
		{ numRuns: 5_000 },
	);
});

it('reads the state from static data as it was written', () => {
	fc.assert(
		fc.property(
			fc.record({
				subscriptionId: fc.option(fc.uuid(), { nil: undefined }),
				url: fc.option(fc.webUrl(), { nil: undefined }),
				secret: fc.option(triggerSecret, { nil: undefined }),
				retired: fc.array(fc.record({ secret: triggerSecret, until: fc.integer() }), { maxLength: 10 }),
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

it('compares any stored subscription with the desired one', () => {
	const desired = { name: 'Forms', url: 'https://example.com', events: ['accounts.added'], config: { items: ['a'] } };
	const storedConfigs = fc.oneof(fc.dictionary(fc.string(), anything), anything);
	fc.assert(
		fc.property(fc.oneof(fc.array(anything, { maxLength: 3 }), anything), storedConfigs, (events, config) => {
			for (const fields of [{ events }, { config }]) {
				const stored = Object.assign({ id: 'a', ...desired }, fields);
				expect(typeof matches(stored, desired)).toBe('boolean');
			}
		}),
		{ numRuns: 5_000 },
	);
});

it('parses an event message with a name and data from any bytes, or none', () => {
	fc.assert(
		fc.property(fc.oneof(anyBytes, deliveryBodies, eventMessages), anything, (bytes, events) => {
			const message = parseEventMessage(bytes);
			if (message === undefined) return;
			expect(message.event).not.toBe('');
			expect(isJson(message.data)).toBe(true);
			expect(typeof isSubscribed(message.event, events)).toBe('boolean');
		}),
		{ numRuns: 5_000 },
	);
});

it('parses the event messages that Argyle sends', () => {
	const parsed = fc.sample(eventMessages, 500).filter((bytes) => parseEventMessage(bytes) !== undefined);
	expect(parsed.length).toBeGreaterThan(250);
});
