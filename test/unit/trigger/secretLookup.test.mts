import { LOOKUP_INTERVAL_MS, SecretCache } from '../../../nodes/Argyle/trigger/secretLookup';

const now = 1_700_000_000_000;

function countedLookup(secrets: () => Promise<string[]>) {
	const lookup = {
		calls: 0,
		lookUp: async () => {
			lookup.calls++;
			return await secrets();
		},
	};
	return lookup;
}

describe('SecretCache', () => {
	it('looks up the secrets once for simultaneous calls', async () => {
		const cache = new SecretCache();
		const lookup = countedLookup(async () => ['s']);
		const results = await Promise.all(
			Array.from({ length: 100 }, async () => await cache.refresh('t', now, lookup.lookUp, LOOKUP_INTERVAL_MS)),
		);
		expect(lookup.calls).toBe(1);
		expect(results.every(({ secrets }) => secrets[0] === 's')).toBe(true);
	});

	it('looks up the secrets at most once in five seconds for successive calls', async () => {
		const cache = new SecretCache();
		const lookup = countedLookup(async () => []);
		for (let ms = 0; ms < 60_000; ms += 100) await cache.refresh('t', now + ms, lookup.lookUp, LOOKUP_INTERVAL_MS);
		expect(lookup.calls).toBe(60_000 / LOOKUP_INTERVAL_MS);
	});

	it('looks up the secrets of each trigger separately', async () => {
		const cache = new SecretCache();
		const lookup = countedLookup(async () => []);
		await cache.refresh('one', now, lookup.lookUp, LOOKUP_INTERVAL_MS);
		await cache.refresh('other', now, lookup.lookUp, LOOKUP_INTERVAL_MS);
		expect(lookup.calls).toBe(2);
	});

	it('caches a failed lookup as empty until the next lookup is due', async () => {
		const cache = new SecretCache();
		const failing = countedLookup(async () => await Promise.reject(new Error('down')));
		await expect(cache.refresh('t', now, failing.lookUp, LOOKUP_INTERVAL_MS)).rejects.toThrow('down');
		expect(await cache.refresh('t', now + 1, failing.lookUp, LOOKUP_INTERVAL_MS)).toEqual({ secrets: [], at: now });
		expect(failing.calls).toBe(1);
		const recovered = countedLookup(async () => ['s']);
		expect((await cache.refresh('t', now + LOOKUP_INTERVAL_MS, recovered.lookUp, LOOKUP_INTERVAL_MS)).secrets).toEqual([
			's',
		]);
	});

	it('keeps the cached secrets when a later lookup fails', async () => {
		const cache = new SecretCache();
		await cache.refresh('t', now, async () => ['s'], LOOKUP_INTERVAL_MS);
		await expect(
			cache.refresh(
				't',
				now + LOOKUP_INTERVAL_MS,
				async () => await Promise.reject(new Error('down')),
				LOOKUP_INTERVAL_MS,
			),
		).rejects.toThrow('down');
		expect(cache.get('t', now + LOOKUP_INTERVAL_MS)?.secrets).toEqual(['s']);
	});

	it('forgets cached secrets after two minutes', async () => {
		const cache = new SecretCache();
		await cache.refresh('t', now, async () => ['s'], LOOKUP_INTERVAL_MS);
		expect(cache.get('t', now + 119_999)?.secrets).toEqual(['s']);
		expect(cache.get('t', now + 120_000)).toBeUndefined();
		expect(cache.get('unknown', now)).toBeUndefined();
	});

	it('caches the secrets of 1,000 triggers and drops the oldest', async () => {
		const cache = new SecretCache();
		for (let trigger = 0; trigger <= 1_000; trigger++)
			await cache.refresh(String(trigger), now, async () => ['s'], LOOKUP_INTERVAL_MS);
		expect(cache.get('0', now)).toBeUndefined();
		expect(cache.get('1', now)).toBeDefined();
		expect(cache.get('1000', now)).toBeDefined();
	});
});
