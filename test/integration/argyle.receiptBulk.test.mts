import { AdaptiveRate } from '../../nodes/Argyle/transport/adaptiveRate';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { binaryBytes, receiptParameters, stopOnce, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture();

/** Generates the receipts of this many items, over and over for the same 20 users. */
async function generate(count: number, options: object = {}, signal?: AbortSignal) {
	const users = [...node.service.users.keys()].slice(0, 20);
	const items = Array.from({ length: count }, (_, index) => ({ json: { user: users[index % users.length] } }));
	const output = await node.run(receiptParameters('={{ $json.user }}', { options }), { items, signal });
	return { items, output };
}

const answered = (status: number) => node.service.requests.filter((request) => request.status === status);

// The rate limit works in real time.
jest.setTimeout(60_000);

describe('Generate Receipt for many items', () => {
	it('Generate Receipt outputs 100 receipts in the order of the items', async () => {
		await node.start({ requestsPerSecond: 50 });
		const { items, output } = await generate(100);
		expect(output.map(({ json }) => json.user)).toEqual(items.map(({ json }) => json.user));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		const last = output.at(-1);
		expect(await binaryBytes(last?.binary?.data)).toEqual(await node.service.receiptPdf(String(last?.json.user)));
		expect(answered(200)).toHaveLength(100);
	});

	it('Generate Receipt keeps to Requests per Second', async () => {
		const started = jest.spyOn(AdaptiveRate.prototype, 'recordStart');
		await generate(16, { requestsPerSecond: 7 });
		const times = started.mock.calls.map(([at]) => at);
		expect(times).toHaveLength(16);
		for (const [index, at] of times.slice(7).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(1_000);
	});

	it('Generate Receipt tries again after a 429, however long the receipt before it took', async () => {
		useFakeTime();
		node.service.addFault({
			kind: 'slow',
			delayMs: 1,
			matches: () => {
				advance(90_000);
				return true;
			},
		});
		node.service.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': '1' } });
		const { output } = await generate(2, { maxConcurrency: 1 });
		expect(output).toHaveLength(2);
		expect(node.service.requests.map(({ status }) => status)).toEqual([200, 429, 200]);
	});

	it('Generate Receipt slows down and completes when less of the rate limit is left than expected', async () => {
		await node.start({ requestsPerSecond: 20 });
		useFakeTime();
		const { output } = await generate(100);
		expect(output).toHaveLength(100);
		expect(answered(200)).toHaveLength(100);
		expect(answered(429).length).toBeLessThan(50);
	});

	it('Generate Receipt has as many receipts under way as the rate allows while answers are slow', async () => {
		node.service.addFault({ kind: 'hang', times: Infinity });
		const isSecondInFlight = () => node.service.peakConcurrency > 45;
		await stopOnce(isSecondInFlight, async (signal) => await generate(100, {}, signal));
	});

	it('Generate Receipt keeps to Max Concurrency, and sends no further request after the execution was cancelled', async () => {
		node.service.addFault({ kind: 'hang', times: Infinity });
		const areTenInFlight = () => node.service.peakConcurrency === 10;
		await stopOnce(areTenInFlight, async (signal) => await generate(100, { maxConcurrency: 10 }, signal));
		expect(node.service.requests).toHaveLength(10);
	});

	it.each([
		[{ requestsPerSecond: 0 }, 'Requests per Second is not a positive whole number'],
		[{ maxConcurrency: 2.5 }, 'Max Concurrency is not a positive whole number'],
	])('Generate Receipt refuses %p before any request', async (options, message) => {
		const error = await failure(generate(3, options));
		expect(error.message).toContain(message);
		expect(error.description).toContain('Nothing was sent to Argyle');
		expect(node.service.requests).toHaveLength(0);
	});
});
