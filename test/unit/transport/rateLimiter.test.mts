import { RateLimiter, rateLimiterFor } from '../../../nodes/Argyle/transport/rateLimiter';
import { clock } from '../../../nodes/Argyle/utils/clock';
import { useFakeTime } from '../../support/fakeTime.mts';

const NOW = 1_700_000_000_000;
const PATIENT = { maxWaitMs: 60_000, signal: undefined };

let waits: number[];
beforeEach(() => (waits = useFakeTime(() => NOW)));
afterEach(() => jest.restoreAllMocks());

const turns = async (line: RateLimiter, count: number, options: Parameters<RateLimiter['acquire']>[0] = PATIENT) =>
	await Promise.all(Array.from({ length: count }, async () => (await line.acquire(options)) - NOW));

describe('Line', () => {
	it('lets requests start in the order of asking, no more in a second than the rate', async () => {
		expect(await turns(new RateLimiter(2), 5)).toEqual([0, 400, 1_000, 1_400, 2_000]);
		expect(waits).toEqual([400, 600, 400, 600]);
	});

	it('lets one that may not wait go ahead, and counts it', async () => {
		const line = new RateLimiter(1);
		const waiting = turns(line, 2);
		expect(await turns(line, 2, { maxWaitMs: 0, signal: undefined })).toEqual([0, 0]);
		expect(await waiting).toEqual([1_900, 2_900]);
	});

	it('lets nobody wait for longer than it may', async () => {
		const line = new RateLimiter(45);
		line.onThrottled(NOW, 90_000);
		expect(await turns(line, 1, { maxWaitMs: 7_000, signal: undefined })).toEqual([7_000]);
	});

	it('waits as the service says after a refusal', async () => {
		const line = new RateLimiter(45);
		line.onThrottled(NOW, 3_000);
		expect(await turns(line, 2)).toEqual([3_000, 3_000]);
	});

	it('waits no longer when it is stopped', async () => {
		const stop = new AbortController();
		const line = new RateLimiter(1);
		await line.acquire(PATIENT);
		jest.spyOn(clock, 'pause').mockImplementation(async () => {
			stop.abort();
		});
		expect(await turns(line, 3, { maxWaitMs: 60_000, signal: stop.signal })).toEqual([0, 0, 0]);
	});
});

it('an account has one line for each rate in the whole process', () => {
	expect(rateLimiterFor('account', 45)).toBe(rateLimiterFor('account', 45));
	expect(rateLimiterFor('account', 45)).not.toBe(rateLimiterFor('account', 10));
	expect(rateLimiterFor('account', 45)).not.toBe(rateLimiterFor('other', 45));
});
