import { KnownSecrets } from '../../../../nodes/Argyle/trigger/state/knownSecrets';

const now = 1_700_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;

const down = async () => await Promise.reject(new Error('down'));

/** Counts how often it is asked. */
function sourceOf(derived: string, registered: string[] = []) {
	return { derive: jest.fn(async () => ({ secret: derived, inner: '' })), lookUp: jest.fn(async () => registered) };
}

describe('the secret of the credential', () => {
	it('is read every five minutes, once for calls that come together, without a question to the service', async () => {
		const known = new KnownSecrets();
		const source = sourceOf('d');
		const secretAt = async (ms: number) => (await known.derived(source, now + ms)).secret;
		expect(await Promise.all([secretAt(0), secretAt(0)])).toEqual(['d', 'd']);
		expect(await secretAt(5 * MINUTE - 1)).toBe('d');
		expect(source.derive).toHaveBeenCalledTimes(1);
		expect((await known.derived(sourceOf('e'), now + 5 * MINUTE)).secret).toBe('e');
		expect(source.lookUp).not.toHaveBeenCalled();
	});

	it('is read again a second later for a call that it did not sign, after a failure, or if the clock was set back', async () => {
		const known = new KnownSecrets();
		await known.derived(sourceOf('d'), now);
		expect((await known.derived(sourceOf('e'), now + 999, SECOND)).secret).toBe('d');
		expect((await known.derived(sourceOf('e'), now + 1_000, SECOND)).secret).toBe('e');
		await expect(known.derived({ ...sourceOf('f'), derive: down }, now + 3_000, SECOND)).rejects.toThrow('down');
		await expect(known.derived(sourceOf('g'), now + 3_999)).rejects.toThrow('down');
		expect((await known.derived(sourceOf('g'), now + 4_000)).secret).toBe('g');
		expect((await known.derived(sourceOf('h'), now - MINUTE)).secret).toBe('h');
	});
});

describe('the question to the service', () => {
	it('is asked again after a minute, after a failure in five seconds, and after the clock was set back', async () => {
		const known = new KnownSecrets();
		const source = sourceOf('d');
		for (let ms = 0; ms < 10 * MINUTE; ms += 100) await known.askService(source, now + ms);
		expect(source.lookUp).toHaveBeenCalledTimes(10);
		expect(await known.askService({ ...source, lookUp: down }, now + 10 * MINUTE)).toBe(false);
		expect(await known.askService(source, now + 10 * MINUTE + 4_999)).toBe(false);
		expect(await known.askService(source, now + 10 * MINUTE + 5_000)).toBe(true);
		expect(await known.askService(source, now - MINUTE)).toBe(true);
		expect(source.lookUp).toHaveBeenCalledTimes(12);
	});
});

describe('a secret that was seen', () => {
	it('counts two minutes longer when the service shows another one, or none', async () => {
		const known = new KnownSecrets();
		known.know(['old'], now);
		known.confirm('verified');
		await known.askService(sourceOf('d', ['new']), now + MINUTE);
		expect(known.valid(now + 3 * MINUTE - 1)).toEqual(['old', 'verified', 'new']);
		known.know([], now + 2 * MINUTE);
		expect(known.valid(now + 3 * MINUTE)).toEqual(['new']);
		expect(known.valid(now + 4 * MINUTE)).toEqual([]);
	});

	it('stands again when the service shows it again', () => {
		const known = new KnownSecrets();
		known.know(['one'], now);
		known.know(['other'], now);
		known.know(['one'], now);
		expect(known.valid(now + 10 * MINUTE)).toEqual(['one']);
	});

	it('does not count for longer because the clock was set back', () => {
		const known = new KnownSecrets();
		known.know(['old'], now);
		known.know([], now);
		expect(known.valid(now - MINUTE)).toEqual([]);
	});
});
