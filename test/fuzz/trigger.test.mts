import fc from 'fast-check';
import {
	deriveSecret,
	isSubscribed,
	parseEventMessage,
	parseSignature,
	signingSecret,
	submittedForm,
} from '../../nodes/Argyle/api/delivery';
import { matches } from '../../nodes/Argyle/trigger/subscription/desiredSubscription';
import { readState, takeState, withState, writeState } from '../../nodes/Argyle/trigger/state/staticData';
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
	return digest !== undefined && signingSecret(secrets, body, digest) !== undefined;
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

const anyDate = fc.oneof(fc.date({ noInvalidDate: true }), anyText, anything);

const isText = (value: unknown) => typeof value === 'string' && value !== '';

it('reads a valid state from any static data', () => {
	const registered = fc.record({ id: anything, url: anything, account: anything, environment: anything });
	const staticData = fc.record(
		{
			registered: fc.oneof(registered, anything),
			bookmark: fc.oneof(fc.record({ time: anyDate, form: anything, account: anything, node: anything }), anything),
			startedForms: fc.oneof(fc.string(), fc.array(anything, { maxLength: 15 }), anything),
			other: anything,
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(staticData, (data) => {
			const stored = JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? 1 : value)));
			const state = readState(stored);
			expect(Object.values(state.registered ?? {}).every(isText)).toBe(true);
			expect(Number.isFinite(state.bookmark?.time ?? 0)).toBe(true);
			expect(Object.values({ ...state.bookmark, time: 'x' }).every(isText)).toBe(true);
			expect(state.startedForms.every(isText)).toBe(true);
			writeState(stored, state);
			expect(readState(stored)).toEqual(state);
			expect(['registered', 'bookmark', 'startedForms']).toEqual(expect.arrayContaining(Object.keys(stored)));
		}),
		{ numRuns: 5_000 },
	);
});

it('reads the state from static data as it was written', () => {
	const text = fc.string({ minLength: 1 });
	fc.assert(
		fc.property(
			fc.record({
				registered: fc.option(fc.record({ id: fc.uuid(), url: fc.webUrl(), account: text, environment: text }), {
					nil: undefined,
				}),
				bookmark: fc.option(
					fc.record({
						time: fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
						form: fc.uuid(),
						account: text,
						node: text,
					}),
					{ nil: undefined },
				),
				startedForms: fc.array(fc.uuid(), { maxLength: 1_100 }),
			}),
			fc.dictionary(fc.constantFrom('secret', 'retired', 'bookmark', 'registered', 'other'), fc.jsonValue()),
			(state, before) => {
				const data = JSON.parse(JSON.stringify(before));
				writeState(data, state);
				const startedForms = state.startedForms.slice(-1_000);
				expect(readState(JSON.parse(JSON.stringify(data)))).toEqual({ ...state, startedForms });
			},
		),
		{ numRuns: 1_000 },
	);
});

it('derives a secret of 64 hex digits from any key and URL, which another key or URL does not have', () => {
	fc.assert(
		fc.property(anyText, anyText, anyText, (apiKeySecret, url, more) => {
			const secret = deriveSecret({ apiKeySecret }, url);
			expect(secret).toMatch(/^[0-9a-f]{64}$/);
			expect(deriveSecret({ apiKeySecret }, url)).toBe(secret);
			if (Buffer.from(more).length === 0) return;
			// Blanks around a key come with pasting, and are no part of it.
			const otherKey = `${apiKeySecret}${more}`;
			const isSame = otherKey.trim() === apiKeySecret.trim();
			expect(deriveSecret({ apiKeySecret: otherKey }, url) === secret).toBe(isSame);
			expect(deriveSecret({ apiKeySecret }, `${url}${more}`)).not.toBe(secret);
		}),
		{ numRuns: 3_000 },
	);
});

it('finds a form, and takes what was sent along out, in any item', () => {
	fc.assert(
		fc.property(fc.oneof(anything, fc.uuid()), fc.dictionary(fc.string(), fc.jsonValue()), (id, data) => {
			const item = { event: 'user_forms.submitted', data: Object.assign({}, data, { user_form: id }) };
			const form = submittedForm(
				JSON.parse(JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? 1 : value))),
			);
			expect(form === undefined || form === id).toBe(true);
			expect(takeState(withState(JSON.parse(JSON.stringify(data)), {})).item).toEqual(JSON.parse(JSON.stringify(data)));
		}),
		{ numRuns: 3_000 },
	);
});

it('compares any stored subscription with the desired one', () => {
	const request = { name: 'Forms', url: 'https://example.com', events: ['accounts.added'], config: { items: ['a'] } };
	const desired = { request, secret: 's' };
	const storedConfigs = fc.oneof(fc.dictionary(fc.string(), anything), anything);
	fc.assert(
		fc.property(fc.oneof(fc.array(anything, { maxLength: 3 }), anything), storedConfigs, (events, config) => {
			for (const fields of [{ events }, { config }]) {
				const stored = Object.assign({ id: 'a', secret: 's', ...request }, fields);
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
	expect(parsed.length).toBeGreaterThan(0);
});
