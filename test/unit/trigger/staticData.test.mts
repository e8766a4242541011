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
	it('accepts only a secret of 64 lower-case hex digits', () => {
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
	it('reads back the trigger state that was written', () => {
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

	it('removes from static data what the trigger state no longer holds', () => {
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

	it('copies the retired secrets into static data', () => {
		const staticData = {};
		const retired = [{ secret: secret('b'), until: now }];
		writeState(staticData, { retired });
		expect(readState(staticData).retired[0]).not.toBe(retired[0]);
	});

	it('ignores static data of the wrong type or format', () => {
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

describe('retireSecrets and activeSecrets', () => {
	it('keeps a retired secret active until the rotation overlap ends', () => {
		const state = { retired: retireSecrets([], [secret('a')], now) };
		expect(activeSecrets(state, now)).toEqual([secret('a')]);
		expect(activeSecrets(state, now + ROTATION_OVERLAP_MS - 1)).toEqual([secret('a')]);
		expect(activeSecrets(state, now + ROTATION_OVERLAP_MS)).toEqual([]);
	});

	it("keeps a retired secret active beyond Argyle's one retry, 30 s after a response that took 10 s", () =>
		expect(ROTATION_OVERLAP_MS).toBeGreaterThan(40_000));

	it('lists the current secret before the retired ones', () => {
		const retired = retireSecrets([], [secret('a')], now);
		expect(activeSecrets({ secret: secret('c'), retired }, now)).toEqual([secret('c'), secret('a')]);
	});

	it('drops expired secrets and retires no value that is not a secret', () => {
		expect(retireSecrets([{ secret: secret('b'), until: now }], [undefined, null, '', 'short'], now)).toEqual([]);
		expect(retireSecrets([{ secret: secret('b'), until: now + 1 }], [], now)).toHaveLength(1);
	});

	it('keeps a secret that was retired twice once, with the later expiry', () => {
		const latest = { secret: secret('b'), until: now + ROTATION_OVERLAP_MS };
		expect(retireSecrets([{ secret: secret('b'), until: now + 1 }], [secret('b')], now)).toEqual([latest]);
		expect(retireSecrets([{ ...latest, until: now + 1 }, latest], [], now)).toEqual([latest]);
	});

	it('keeps the ten newest retired secrets', () => {
		let retired = retireSecrets([], [], now);
		for (let round = 0; round < 50; round++)
			retired = retireSecrets(retired, [round.toString(16).padStart(64, '0')], now + round);
		expect(retired).toHaveLength(10);
		expect(retired[0]?.secret).toBe((49).toString(16).padStart(64, '0'));
	});
});
