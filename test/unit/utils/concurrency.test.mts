import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapConcurrently } from '../../../nodes/Argyle/utils/concurrency';

const run = (count: number, atOnce: number, stop?: AbortSignal) => ({ count, atOnce, stop });

describe('inOrder', () => {
	it('gives the results in their order, whichever ends first, so many at a time and no more', async () => {
		let underWay = 0;
		let most = 0;
		const results = await mapConcurrently(run(20, 4), async (index) => {
			most = Math.max(most, ++underWay);
			for (let turns = (index * 7) % 5; turns >= 0; turns--) await nextTurn();
			underWay--;
			return index;
		});
		expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
		expect(most).toBe(4);
	});

	it('gives nothing for nothing', async () => {
		expect(await mapConcurrently(run(0, 4), async () => expect(true).toBe(false))).toEqual([]);
	});

	it('starts nothing more after a failure, ends what is under way, and throws the first', async () => {
		const started: number[] = [];
		const ended: number[] = [];
		const running = mapConcurrently(run(100, 3), async (index, signal) => {
			started.push(index);
			if (index === 1) throw new Error('the first failure');
			await new Promise((resolve) => signal.addEventListener('abort', resolve));
			ended.push(index);
			throw new Error('stopped');
		});
		await expect(running).rejects.toThrow('the first failure');
		expect([started, ended]).toEqual([
			[0, 1, 2],
			[0, 2],
		]);
	});

	it('ends when it is stopped, even if all that is under way comes to a good end', async () => {
		const stop = new AbortController();
		const started: number[] = [];
		const running = mapConcurrently(run(100, 2, stop.signal), async (index) => {
			started.push(index);
			if (index === 3) stop.abort(new Error('stopped by a person'));
			await nextTurn();
		});
		await expect(running).rejects.toThrow('stopped by a person');
		expect(started).toEqual([0, 1, 2, 3]);
	});
});
