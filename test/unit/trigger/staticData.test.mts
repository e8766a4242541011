import {
	isSecret,
	ROTATION_OVERLAP_MS,
	readState,
	retireSecrets,
	activeSecrets,
	writeState,
} from '../../../nodes/Argyle/trigger/staticData';

const secret = (letter: string) => letter.repeat(64);
const now = 1_700_000_000_000;

describe('isSecret', () => {
	it('takes 64 hex digits only', () => {
		expect(isSecret(secret('a'))).toBe(true);
		for (const value of [
			'',
			' '.repeat(64),
			'a'.repeat(63),
			'a'.repeat(65),
			'G'.repeat(64),
			'A'.repeat(64),
			null,
			undefined,
			64,
		]) {
			expect(isSecret(value)).toBe(false);
		}
	});
});

describe('readState and writeState', () => {
	it('give back what was written', () => {
		const staticData = {};
		const state = {
			subscriptionId: 'id',
			url: 'https://n8n.example/x',
			secret: secret('a'),
			mayHaveDuplicate: true,
			retired: [{ secret: secret('b'), until: now }],
		};
		writeState(staticData, state);
		expect(readState(staticData)).toEqual(state);
	});

	it('remove what the state no longer holds', () => {
		const staticData = {};
		writeState(staticData, {
			subscriptionId: 'id',
			url: 'u',
			secret: secret('a'),
			retired: [{ secret: secret('b'), until: now }],
		});
		writeState(staticData, { retired: [] });
		expect(staticData).toEqual({});
	});

	it('do not share the list with the state', () => {
		const staticData = {};
		const retired = [{ secret: secret('b'), until: now }];
		writeState(staticData, { retired });
		expect(readState(staticData).retired[0]).not.toBe(retired[0]);
	});

	it('leave out everything of another kind', () => {
		const empty = {
			subscriptionId: undefined,
			url: undefined,
			secret: undefined,
			mayHaveDuplicate: undefined,
			retired: [],
		};
		expect(readState({})).toEqual(empty);
		expect(
			readState({ subscriptionId: 7, url: '', secret: 'short', mayHaveDuplicate: 'yes', retired: 'none' }),
		).toEqual(empty);
		expect(readState({ retired: [null, { secret: 'x', until: now }, { secret: secret('b'), until: 'soon' }] })).toEqual(
			empty,
		);
	});
});

describe('retire and secretsInForce', () => {
	it('let a replaced secret verify until the overlap ends, and not after', () => {
		const state = { retired: retireSecrets([], [secret('a')], now) };
		expect(activeSecrets(state, now)).toEqual([secret('a')]);
		expect(activeSecrets(state, now + ROTATION_OVERLAP_MS - 1)).toEqual([secret('a')]);
		expect(activeSecrets(state, now + ROTATION_OVERLAP_MS)).toEqual([]);
	});

	it("outlast the service's one repeat, 30 s after an answer that took 10 s", () =>
		expect(ROTATION_OVERLAP_MS).toBeGreaterThan(40_000));

	it('name the current secret first', () => {
		const retired = retireSecrets([], [secret('a')], now);
		expect(activeSecrets({ secret: secret('c'), retired }, now)).toEqual([secret('c'), secret('a')]);
	});

	it('forget secrets whose overlap is over, and add none that is none', () => {
		expect(retireSecrets([{ secret: secret('b'), until: now }], [undefined, null, '', 'short'], now)).toEqual([]);
		expect(retireSecrets([{ secret: secret('b'), until: now + 1 }], [], now)).toHaveLength(1);
	});

	it('keep each secret once, for as long as the longer of its terms', () => {
		const long = { secret: secret('b'), until: now + ROTATION_OVERLAP_MS };
		expect(retireSecrets([{ secret: secret('b'), until: now + 1 }], [secret('b')], now)).toEqual([long]);
		expect(retireSecrets([{ ...long, until: now + 1 }, long], [], now)).toEqual([long]);
	});

	it('stay small however often a trigger is replaced', () => {
		let retired = retireSecrets([], [], now);
		for (let round = 0; round < 50; round++)
			retired = retireSecrets(retired, [round.toString(16).padStart(64, '0')], now + round);
		expect(retired).toHaveLength(10);
		expect(retired[0]?.secret).toBe((49).toString(16).padStart(64, '0'));
	});
});
