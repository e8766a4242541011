import { LOOKUP_INTERVAL_MS, SecretCache } from '../../../nodes/Argyle/trigger/secretLookup';

const now = 1_700_000_000_000;

/** Counts how often the service was asked. */
function question(answers: () => Promise<string[]>) {
	const counted = {
		asked: 0,
		ask: async () => {
			counted.asked++;
			return await answers();
		},
	};
	return counted;
}

describe('SecretReadings', () => {
	it('asks once for calls that come in together', async () => {
		const readings = new SecretCache();
		const service = question(async () => ['s']);
		const answers = await Promise.all(
			Array.from({ length: 100 }, async () => await readings.refresh('t', now, service.ask, LOOKUP_INTERVAL_MS)),
		);
		expect(service.asked).toBe(1);
		expect(answers.every(({ secrets }) => secrets[0] === 's')).toBe(true);
	});

	it('asks at most once in five seconds, however many calls come one after the other', async () => {
		const readings = new SecretCache();
		const service = question(async () => []);
		for (let ms = 0; ms < 60_000; ms += 100) await readings.refresh('t', now + ms, service.ask, LOOKUP_INTERVAL_MS);
		expect(service.asked).toBe(60_000 / LOOKUP_INTERVAL_MS);
	});

	it('asks for each trigger on its own', async () => {
		const readings = new SecretCache();
		const service = question(async () => []);
		await readings.refresh('one', now, service.ask, LOOKUP_INTERVAL_MS);
		await readings.refresh('other', now, service.ask, LOOKUP_INTERVAL_MS);
		expect(service.asked).toBe(2);
	});

	it('takes a failed question for an empty answer until the next may be asked', async () => {
		const readings = new SecretCache();
		const failing = question(async () => await Promise.reject(new Error('down')));
		await expect(readings.refresh('t', now, failing.ask, LOOKUP_INTERVAL_MS)).rejects.toThrow('down');
		expect(await readings.refresh('t', now + 1, failing.ask, LOOKUP_INTERVAL_MS)).toEqual({ secrets: [], at: now });
		expect(failing.asked).toBe(1);
		const healed = question(async () => ['s']);
		expect((await readings.refresh('t', now + LOOKUP_INTERVAL_MS, healed.ask, LOOKUP_INTERVAL_MS)).secrets).toEqual([
			's',
		]);
	});

	it('keeps what it knew when a later question fails', async () => {
		const readings = new SecretCache();
		await readings.refresh('t', now, async () => ['s'], LOOKUP_INTERVAL_MS);
		await expect(
			readings.refresh(
				't',
				now + LOOKUP_INTERVAL_MS,
				async () => await Promise.reject(new Error('down')),
				LOOKUP_INTERVAL_MS,
			),
		).rejects.toThrow('down');
		expect(readings.get('t', now + LOOKUP_INTERVAL_MS)?.secrets).toEqual(['s']);
	});

	it('forgets a reading after two minutes, as a retired secret', async () => {
		const readings = new SecretCache();
		await readings.refresh('t', now, async () => ['s'], LOOKUP_INTERVAL_MS);
		expect(readings.get('t', now + 119_999)?.secrets).toEqual(['s']);
		expect(readings.get('t', now + 120_000)).toBeUndefined();
		expect(readings.get('unknown', now)).toBeUndefined();
	});

	it('keeps the readings of a thousand triggers and drops the oldest', async () => {
		const readings = new SecretCache();
		for (let trigger = 0; trigger <= 1_000; trigger++)
			await readings.refresh(String(trigger), now, async () => ['s'], LOOKUP_INTERVAL_MS);
		expect(readings.get('0', now)).toBeUndefined();
		expect(readings.get('1', now)).toBeDefined();
		expect(readings.get('1000', now)).toBeDefined();
	});
});
