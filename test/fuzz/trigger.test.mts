import fc from 'fast-check';
import { isSubscribed, parseEventMessage, submittedForm } from '../../nodes/Argyle/api/delivery';
import { PROCESS_ID, splitOrigin, withOrigin } from '../../nodes/Argyle/trigger/state/itemOrigin';
import { Starts } from '../../nodes/Argyle/trigger/state/starts';
import { isSaved, readState, writeState } from '../../nodes/Argyle/trigger/state/savedState';
import { isDesired, rememberCreated } from '../../nodes/Argyle/trigger/subscription/desiredSubscription';
import { isJson } from '../support/json.mts';
import { anyBytes, anything, anyText, deliveryBodies, eventMessages } from './arbitraries.mts';

const anyDate = fc.oneof(fc.date({ noInvalidDate: true }), anyText, anything);

const isText = (value: unknown) => typeof value === 'string' && value !== '';

it('reads a valid state from any static data', () => {
	const time = fc.oneof(fc.double(), anyDate);
	const staticData = fc.record(
		{
			owner: anything,
			boundTo: fc.oneof(anyText, anything),
			since: fc.oneof(fc.dictionary(fc.string(), time), anything),
			bookmark: time,
			started: fc.oneof(fc.array(fc.oneof(anyText, anything)), anything),
			lookedAt: time,
			other: anything,
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(staticData, (data) => {
			const stored = JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? 1 : value)));
			const state = readState(stored);
			const { owner = 'x', boundTo = 'x', since = {}, bookmark = 0, started = [], lookedAt = 0 } = state;
			expect([owner, boundTo, ...started].every(isText)).toBe(true);
			expect([bookmark, lookedAt, ...Object.values(since)].every(Number.isFinite)).toBe(true);
			writeState(stored, state);
			expect([readState(stored), isSaved(stored, state)]).toEqual([state, true]);
			expect(Object.keys(state)).toEqual(expect.arrayContaining(Object.keys(stored)));
		}),
		{ numRuns: 5_000 },
	);
});

it('has each start in one state, whatever happens in which order, and a bookmark before all that is not done', () => {
	const now = 1_700_000_000_000;
	const minutes = fc.integer({ min: -20, max: 20 });
	const changes = ['queue', 'ask', 'run', 'finish', 'lose', 'loseDropped', 'markMayHaveRun'] as const;
	const steps = fc.oneof(
		fc.record({ change: fc.constantFrom(...changes), index: fc.nat(9) }),
		fc.record({ listed: fc.array(fc.nat(9), { maxLength: 12 }), serviceTime: minutes }),
		fc.record({ passed: minutes }),
	);
	fc.assert(
		fc.property(fc.array(minutes, { minLength: 10, maxLength: 10 }), fc.array(steps), (ages, history) => {
			const starts = new Starts();
			starts.resume({ bookmark: now - 15 * 60_000 });
			const forms = ages.map((age, index) => ({ key: `f${index}`, happenedAt: now + age * 60_000, record: {} }));
			const open = new Set<string>();
			for (const step of history) {
				if ('listed' in step) {
					const listed = forms.flatMap((form, index) => step.listed.filter((at) => at === index).map(() => form));
					starts.list(listed, now + step.serviceTime * 60_000, now);
				} else if ('passed' in step) starts.loseSilent(now + step.passed * 60_000);
				else if (step.change === 'markMayHaveRun') starts.markMayHaveRun(`f${step.index}`);
				else if (step.change !== 'queue') starts[step.change](`f${step.index}`, now);
				else if (starts.hasExecution(`f${step.index}`) || starts.get(`f${step.index}`)?.state === 'waiting')
					expect(() => starts.queue(`f${step.index}`, now)).toThrow("can't become waiting");
				else if (open.has(`f${step.index}`)) starts.queue(`f${step.index}`, now);
				const missing = starts.missing().map(({ key }) => key);
				expect(new Set(missing).size).toBe(missing.length);
				expect(missing.filter((key) => starts.hasExecution(key) || starts.get(key)?.state === 'waiting')).toEqual([]);
				for (const key of missing) open.add(key);
				for (const key of open) if (starts.get(key)?.state === 'done') open.delete(key);
				starts.advance();
				const { bookmark = -Infinity } = starts.progress;
				expect(forms.filter(({ key, happenedAt }) => open.has(key) && happenedAt <= bookmark)).toEqual([]);
				expect(starts.missing().map(({ key }) => key)).toEqual(missing);
			}
		}),
		{ numRuns: 2_000 },
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
			const sent = withOrigin(JSON.parse(JSON.stringify(data)), { at: 7 });
			expect(splitOrigin(sent)).toMatchObject({
				item: JSON.parse(JSON.stringify(data)),
				origin: { process: PROCESS_ID, at: 7 },
			});
		}),
		{ numRuns: 3_000 },
	);
});

it('compares any stored subscription with the desired one', () => {
	const request = { name: 'Forms', url: 'https://example.com', events: ['accounts.added'], config: { items: ['a'] } };
	const desired = { request, secret: 's' };
	rememberCreated({ id: 'a', ...request }, desired);
	const storedConfigs = fc.oneof(fc.dictionary(fc.string(), anything), anything);
	fc.assert(
		fc.property(fc.oneof(fc.array(anything, { maxLength: 3 }), anything), storedConfigs, (events, config) => {
			for (const fields of [{ events }, { config }]) {
				const stored = Object.assign({ id: 'a', secret: 's', ...request }, fields);
				expect(typeof isDesired(stored, desired)).toBe('boolean');
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
