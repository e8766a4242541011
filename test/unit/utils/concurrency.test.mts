import { setImmediate as nextTurn } from 'node:timers/promises';
import { clock } from '../../../nodes/Argyle/utils/clock';
import { KeyedMutex, mapConcurrently, Semaphore } from '../../../nodes/Argyle/utils/concurrency';

// On a busy machine, work would let others run in between.
beforeEach(() => void jest.spyOn(clock, 'uptime').mockReturnValue(0));

describe('mapConcurrently', () => {
	it('keeps the order of the results and never exceeds the concurrency', async () => {
		let running = 0;
		let peak = 0;
		const results = await mapConcurrently({ count: 20, concurrency: 4, signal: undefined }, async (index) => {
			peak = Math.max(peak, ++running);
			for (let turns = (index * 7) % 5; turns >= 0; turns--) await nextTurn();
			running--;
			return index;
		});
		expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
		expect(peak).toBe(4);
	});

	it('resolves with an empty list when there is nothing to do', async () => {
		const work = jest.fn();
		expect(await mapConcurrently({ count: 0, concurrency: 4, signal: undefined }, work)).toEqual([]);
		expect(work).not.toHaveBeenCalled();
	});

	it('aborts what is running after a failure, starts nothing more, and rejects with the first failure', async () => {
		const started: number[] = [];
		const settled: number[] = [];
		const running = mapConcurrently({ count: 100, concurrency: 3, signal: undefined }, async (index, { signal }) => {
			started.push(index);
			if (index === 1) throw new Error('the first failure');
			await new Promise((resolve) => signal.addEventListener('abort', resolve));
			settled.push(index);
			throw new Error('aborted');
		});
		await expect(running).rejects.toThrow('the first failure');
		expect(started).toEqual([0, 1, 2]);
		expect(settled).toEqual([0, 2]);
	});

	it('rejects when its signal aborts, even if everything that was running succeeded', async () => {
		const controller = new AbortController();
		const started: number[] = [];
		const options = { count: 100, concurrency: 2, signal: controller.signal };
		const running = mapConcurrently(options, async (index) => {
			started.push(index);
			if (index === 3) controller.abort(new Error('stopped by a person'));
			await nextTurn();
		});
		await expect(running).rejects.toThrow('stopped by a person');
		expect(started).toEqual([0, 1, 2, 3]);
	});
});

it('mapConcurrently begins ten at a time, and more as soon as these only wait', async () => {
	const begun: Array<() => void> = [];
	const ended: Array<() => void> = [];
	const running = mapConcurrently({ count: 40, concurrency: 30, signal: undefined }, async (_, { onWaiting }) => {
		begun.push(onWaiting);
		await new Promise<void>((resolve) => ended.push(resolve));
	});
	await nextTurn();
	expect(begun).toHaveLength(10);
	begun[0]?.();
	await nextTurn();
	expect(begun).toHaveLength(11);
	for (let index = 0; index < 30; index++) {
		begun[index]?.();
		await nextTurn();
	}
	expect(begun).toHaveLength(30);
	for (let index = 0; index < 40; index++) {
		ended[index]?.();
		await nextTurn();
	}
	await running;
	expect(begun).toHaveLength(40);
});

describe('Semaphore', () => {
	/** Starts five pieces of work at once; each settles when its `end` is called. */
	function start(semaphore: Semaphore) {
		const started: number[] = [];
		const release: Array<() => void> = [];
		const end: Array<() => void> = [];
		for (let index = 0; index < 5; index++) {
			void semaphore.run(async (releaseSlot) => {
				started.push(index);
				release[index] = releaseSlot;
				await new Promise<void>((resolve) => (end[index] = resolve));
			});
		}
		return { started, release, end };
	}

	it('starts work in the order of asking, as soon as a slot is free', async () => {
		const { started, end } = start(new Semaphore(2));
		await nextTurn();
		expect(started).toEqual([0, 1]);
		end[1]?.();
		await nextTurn();
		expect(started).toEqual([0, 1, 2]);
		end[0]?.();
		end[2]?.();
		await nextTurn();
		expect(started).toEqual([0, 1, 2, 3, 4]);
	});

	it('frees a slot once, however often it is released', async () => {
		const { started, release, end } = start(new Semaphore(2));
		await nextTurn();
		release[1]?.();
		release[1]?.();
		end[1]?.();
		await nextTurn();
		expect(started).toEqual([0, 1, 2]);
	});

	it('frees the slot of work that fails', async () => {
		const semaphore = new Semaphore(1);
		const failed = semaphore.run(async () => {
			throw new Error('failed');
		});
		await expect(failed).rejects.toThrow('failed');
		expect(await semaphore.run(async () => 'next')).toBe('next');
	});
});

describe('KeyedMutex', () => {
	/** Starts work under these keys; each piece settles when its `end` is called. */
	function start(mutex: KeyedMutex, keys: string[]) {
		const started: number[] = [];
		const end: Array<() => void> = [];
		const runs = keys.map(async (key, index) => {
			return await mutex.run(key, async () => {
				started.push(index);
				await new Promise<void>((resolve) => (end[index] = resolve));
				return index;
			});
		});
		return { started, end, runs };
	}

	it('runs work of one key in the order of asking, one at a time, and of other keys beside it', async () => {
		const { started, end, runs } = start(new KeyedMutex(), ['a', 'a', 'b', 'a']);
		await nextTurn();
		expect(started).toEqual([0, 2]);
		end[0]?.();
		await nextTurn();
		expect(started).toEqual([0, 2, 1]);
		end[1]?.();
		await nextTurn();
		expect(started).toEqual([0, 2, 1, 3]);
		end[2]?.();
		end[3]?.();
		expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
	});

	it('lets work that is asked for later wait for what runs then, though an earlier one has ended', async () => {
		const mutex = new KeyedMutex();
		const { end } = start(mutex, ['a', 'a']);
		await nextTurn();
		end[0]?.();
		await nextTurn();
		const later = start(mutex, ['a']);
		await nextTurn();
		expect(later.started).toEqual([]);
		end[1]?.();
		await nextTurn();
		expect(later.started).toEqual([0]);
		later.end[0]?.();
		await Promise.all(later.runs);
	});

	it('runs the next work after one that fails, and tells the failure only to its own caller', async () => {
		const mutex = new KeyedMutex();
		const failed = mutex.run('a', async () => await Promise.reject(new Error('failed')));
		const next = mutex.run('a', async () => 'next');
		await expect(failed).rejects.toThrow('failed');
		expect(await next).toBe('next');
		expect(await mutex.run('a', async () => 'later')).toBe('later');
	});
});
