import { setImmediate as nextTurn } from 'node:timers/promises';
import { clock } from '../../nodes/Argyle/utils/clock';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const COUNT = 2_000;

/** The fake Argyle takes 200 steps for a page of its lists, which run in this process, too. */
const MOST_STEPS = 250;

const node = useNodeFixture({ requestsPerSecond: 1_000 });

/**
 * Resolves with the most steps that were taken without a turn for others. The time passes by these steps only: one for
 * each object that is masked, and for each look at the time.
 */
async function stepsAtOnce(work: () => Promise<unknown>): Promise<number> {
	let steps = 0;
	let isDone = false;
	const { fromEntries } = Object;
	jest.spyOn(clock, 'uptime').mockImplementation(() => ++steps);
	jest.spyOn(Object, 'fromEntries').mockImplementation((entries) => {
		steps++;
		return fromEntries(entries);
	});
	const working = work().finally(() => (isDone = true));
	let most = 0;
	while (!isDone) {
		const before = steps;
		await nextTurn();
		most = Math.max(most, steps - before);
	}
	await working;
	expect(steps).toBeGreaterThan(COUNT);
	return most;
}

describe('n8n can answer others every now and then', () => {
	it.each(['getAll', 'getRecords'])('while %s makes a long list ready for the output', async (operation) => {
		const [paystub] = node.service.addRecords('paystubs', COUNT);
		const data = { account: paystub?.account };
		const items = [{ json: { event: 'paystubs.added', name: 'Paystubs', data } }];
		const resource = operation === 'getAll' ? 'paystub' : 'event';
		const most = await stepsAtOnce(
			async () => await node.run({ resource, operation, returnAll: true, filters: {} }, { items }),
		);
		expect(most).toBeLessThan(MOST_STEPS);
	});

	it('while many items fail before their first request', async () => {
		const items = Array.from({ length: COUNT }, () => ({ json: {} }));
		const parameters = { resource: 'user', operation: 'get', userId: byId('={{ $json.id }}') };
		const most = await stepsAtOnce(async () => await node.run(parameters, { items, onError: 'continueRegularOutput' }));
		expect(most).toBeLessThan(MOST_STEPS);
	});
});
