import { AdaptiveRate } from '../../nodes/Argyle/transport/adaptiveRate';
import { until } from '../support/n8n/until.mts';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { bytesOf, runArgyle } from '../support/n8nCore/nodeFixture.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { receiptParameters } from '../support/n8nCore/runs.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';

let service: FakeArgyle;
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

/** Generates the receipts of many items, whose users come round again and again. */
async function generate(count: number, options: Record<string, unknown> = {}, signal?: AbortSignal) {
	const users = [...service.users.keys()].slice(0, 20);
	const items = Array.from({ length: count }, (_, index) => ({ json: { user: users[index % users.length] } }));
	const output = await runArgyle(
		credentialFor(service),
		{ parameters: receiptParameters('={{ $json.user }}', { options }) },
		items,
		signal,
	);
	return { items, output };
}

const answered = (status: number) => service.requests.filter((request) => request.status === status);

// The pace is kept in real time.
jest.setTimeout(60_000);

describe('the receipts of many items', () => {
	it('all come, in the order of the items', async () => {
		service = await startFakeArgyle({ requestsPerSecond: 50 });
		const { items, output } = await generate(100);
		expect(output.map(({ json }) => json.user)).toEqual(items.map(({ json }) => json.user));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		const last = output.at(-1);
		expect(await bytesOf(last?.binary?.data)).toEqual(await service.receiptPdf(String(last?.json.user)));
		expect(answered(200)).toHaveLength(100);
	});

	it('keep to the rate that a person sets', async () => {
		service = await startFakeArgyle();
		const started = jest.spyOn(AdaptiveRate.prototype, 'recordStart');
		await generate(16, { requestsPerSecond: 7 });
		const times = started.mock.calls.map(([at]) => at);
		expect(times).toHaveLength(16);
		for (const [index, at] of times.slice(7).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(1_000);
	});

	it('keep to the number at a time that a person sets', async () => {
		service = await startFakeArgyle({ latencyMs: 5 });
		await generate(20, { maxConcurrency: 3 });
		expect(service.peakConcurrency).toBe(3);
	});

	it('all come although others use up most of what the account may ask, and slow down for them', async () => {
		service = await startFakeArgyle({ requestsPerSecond: 20 });
		useFakeTime();
		const { output } = await generate(100);
		expect(output).toHaveLength(100);
		expect(answered(200)).toHaveLength(100);
		expect(answered(429).length).toBeLessThan(50);
	});

	it('end at once with the execution, with nothing more asked for', async () => {
		service = await startFakeArgyle();
		service.addFault({ kind: 'hang', times: Infinity });
		const stop = new AbortController();
		const running = failure(generate(100, {}, stop.signal));
		await until('all that may be under way is', 5_000, async () => (service.peakConcurrency === 10 ? true : undefined));
		stop.abort();
		await running;
		expect(service.requests).toHaveLength(10);
	});

	it.each([
		[{ requestsPerSecond: 0 }, 'Requests per Second is not a positive whole number'],
		[{ maxConcurrency: 2.5 }, 'Max Concurrency is not a positive whole number'],
	])('are not begun with %p', async (options, message) => {
		service = await startFakeArgyle();
		const error = await failure(generate(3, options));
		expect(error.message).toContain(message);
		expect(error.description).toContain('Nothing was sent to Argyle');
		expect(service.requests).toHaveLength(0);
	});
});
