import { KnownSecrets } from '../../../../nodes/Argyle/trigger/delivery/knownSecrets';

const now = 1_700_000_000_000;
const MINUTE = 60_000;

const down = async () => await Promise.reject(new Error('down'));

/** Counts how often it is asked. */
function sourceOf(derived: string, registered: string[] = []) {
	return { derive: jest.fn(async () => derived), lookUp: jest.fn(async () => registered) };
}

describe('KnownSecrets', () => {
	it('reads the credential every five minutes, and asks the service for nothing', async () => {
		const known = new KnownSecrets();
		const source = sourceOf('d');
		for (const ms of [0, 1, 5 * MINUTE - 1]) expect(await known.current(source, now + ms)).toEqual(['d']);
		expect(source.derive).toHaveBeenCalledTimes(1);
		expect(await known.current(sourceOf('e'), now + 5 * MINUTE)).toEqual(['e']);
		expect(source.lookUp).not.toHaveBeenCalled();
	});

	it('calls that come while the credential is read wait for its secret', async () => {
		const known = new KnownSecrets();
		for (const at of [now, now + 5 * MINUTE]) {
			const source = sourceOf('d');
			const both = await Promise.all([known.current(source, at), known.current(source, at)]);
			expect(both).toEqual([['d'], ['d']]);
			expect(source.derive).toHaveBeenCalledTimes(1);
		}
	});

	it('rejects while the credential cannot be read, and reads it again after five seconds', async () => {
		const known = new KnownSecrets();
		await expect(known.current({ ...sourceOf('d'), derive: down }, now)).rejects.toThrow('down');
		const source = sourceOf('d');
		await expect(known.current(source, now + 4_999)).rejects.toThrow('down');
		expect(source.derive).not.toHaveBeenCalled();
		expect(await known.current(source, now + 5_000)).toEqual(['d']);
	});

	it('asks the service once for a hundred calls that come together', async () => {
		const known = new KnownSecrets();
		const source = sourceOf('d', ['r']);
		const asked = Array.from({ length: 100 }, async () => await known.refresh(source, now));
		expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));
		expect([source.derive.mock.calls.length, source.lookUp.mock.calls.length]).toEqual([1, 1]);
		expect(known.valid(now)).toEqual(['d', 'r']);
	});

	it('asks the service once a minute, also after a failure and after the clock was set back', async () => {
		const known = new KnownSecrets();
		const source = sourceOf('d');
		for (let ms = 0; ms < 10 * MINUTE; ms += 100) await known.refresh(source, now + ms);
		expect(source.lookUp).toHaveBeenCalledTimes(10);
		expect(await known.refresh({ ...source, lookUp: down }, now + 10 * MINUTE)).toBe(false);
		expect(await known.refresh(source, now + 11 * MINUTE - 1)).toBe(false);
		expect(await known.refresh(source, now + 11 * MINUTE)).toBe(true);
		expect(await known.refresh(source, now - MINUTE)).toBe(true);
		expect(source.lookUp).toHaveBeenCalledTimes(12);
	});

	it('knows nothing for certain when the credential cannot be read but the service can be asked', async () => {
		expect(await new KnownSecrets().refresh({ ...sourceOf('d', ['r']), derive: down }, now)).toBe(false);
	});

	it('accepts the secrets of the service for two minutes, and the derived one for five', async () => {
		const known = new KnownSecrets();
		await known.refresh(sourceOf('d', ['d', 'old']), now);
		expect(known.valid(now + 2 * MINUTE - 1)).toEqual(['d', 'old']);
		expect(known.valid(now + 2 * MINUTE)).toEqual(['d']);
		expect(known.valid(now + 5 * MINUTE)).toEqual([]);
	});

	it('a clock that was set back makes no secret valid for longer, and the credential is read again', async () => {
		const known = new KnownSecrets();
		await known.refresh(sourceOf('d', ['old']), now);
		expect(known.valid(now - MINUTE)).toEqual([]);
		expect(await known.current(sourceOf('e'), now - MINUTE)).toEqual(['e']);
	});
});
