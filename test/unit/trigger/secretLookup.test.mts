import { ASK_EVERY_MS, SecretReadings } from '../../../nodes/Argyle/trigger/secretLookup';

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
		const readings = new SecretReadings();
		const service = question(async () => ['s']);
		const answers = await Promise.all(
			Array.from({ length: 100 }, async () => await readings.fresh('t', now, service.ask, ASK_EVERY_MS)),
		);
		expect(service.asked).toBe(1);
		expect(answers.every(({ secrets }) => secrets[0] === 's')).toBe(true);
	});

	it('asks at most once in five seconds, however many calls come one after the other', async () => {
		const readings = new SecretReadings();
		const service = question(async () => []);
		for (let ms = 0; ms < 60_000; ms += 100) await readings.fresh('t', now + ms, service.ask, ASK_EVERY_MS);
		expect(service.asked).toBe(60_000 / ASK_EVERY_MS);
	});

	it('asks for each trigger on its own', async () => {
		const readings = new SecretReadings();
		const service = question(async () => []);
		await readings.fresh('one', now, service.ask, ASK_EVERY_MS);
		await readings.fresh('other', now, service.ask, ASK_EVERY_MS);
		expect(service.asked).toBe(2);
	});

	it('takes a failed question for an empty answer until the next may be asked', async () => {
		const readings = new SecretReadings();
		const failing = question(async () => await Promise.reject(new Error('down')));
		await expect(readings.fresh('t', now, failing.ask, ASK_EVERY_MS)).rejects.toThrow('down');
		expect(await readings.fresh('t', now + 1, failing.ask, ASK_EVERY_MS)).toEqual({ secrets: [], at: now });
		expect(failing.asked).toBe(1);
		const healed = question(async () => ['s']);
		expect((await readings.fresh('t', now + ASK_EVERY_MS, healed.ask, ASK_EVERY_MS)).secrets).toEqual(['s']);
	});

	it('keeps what it knew when a later question fails', async () => {
		const readings = new SecretReadings();
		await readings.fresh('t', now, async () => ['s'], ASK_EVERY_MS);
		await expect(
			readings.fresh('t', now + ASK_EVERY_MS, async () => await Promise.reject(new Error('down')), ASK_EVERY_MS),
		).rejects.toThrow('down');
		expect(readings.last('t', now + ASK_EVERY_MS)?.secrets).toEqual(['s']);
	});

	it('forgets a reading after two minutes, as a retired secret', async () => {
		const readings = new SecretReadings();
		await readings.fresh('t', now, async () => ['s'], ASK_EVERY_MS);
		expect(readings.last('t', now + 119_999)?.secrets).toEqual(['s']);
		expect(readings.last('t', now + 120_000)).toBeUndefined();
		expect(readings.last('unknown', now)).toBeUndefined();
	});

	it('keeps the readings of a thousand triggers and drops the oldest', async () => {
		const readings = new SecretReadings();
		for (let trigger = 0; trigger <= 1_000; trigger++)
			await readings.fresh(String(trigger), now, async () => ['s'], ASK_EVERY_MS);
		expect(readings.last('0', now)).toBeUndefined();
		expect(readings.last('1', now)).toBeDefined();
		expect(readings.last('1000', now)).toBeDefined();
	});
});
