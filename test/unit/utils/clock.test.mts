import { getEventListeners } from 'node:events';
import { beforeDeadline, clock, isWithin } from '../../../nodes/Argyle/utils/clock';

afterEach(() => jest.useRealTimers());

/** As n8n up to 2.14 has it: its sleep knows no signal. */
function clockWithoutSignal(): typeof clock {
	const sleep = async () => await new Promise(() => {});
	let loaded = clock;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({ sleep }));
		const module: typeof import('../../../nodes/Argyle/utils/clock') = jest.requireActual(
			'../../../nodes/Argyle/utils/clock',
		);
		loaded = module.clock;
	});
	return loaded;
}

describe('clock.pause', () => {
	it('clock.pause resolves after its milliseconds, and not before', async () => {
		jest.useFakeTimers();
		let isOver = false;
		const pause = clock.pause(1_000).then(() => (isOver = true));
		await jest.advanceTimersByTimeAsync(999);
		expect(isOver).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(isOver).toBe(true);
		await pause;
	});

	it.each([
		['its signal aborts', () => clock],
		['its signal aborts in an n8n (up to 2.14) that knows no signal', clockWithoutSignal],
	])('clock.pause resolves early, without an error, when %s', async (_, load) => {
		const { pause } = load();
		const controller = new AbortController();
		const early = pause(600_000, controller.signal);
		controller.abort();
		await expect(early).resolves.toBeUndefined();
		await expect(pause(600_000, controller.signal)).resolves.toBeUndefined();
	});

	it('clock.pause leaves nothing behind at a signal that lives on', async () => {
		const { signal } = new AbortController();
		await clock.pause(1, signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

describe('beforeDeadline', () => {
	it('gives what the work gives, or fails as it does', async () => {
		const deadline = Date.now() + 600_000;
		expect(await beforeDeadline(deadline, Promise.resolve(7))).toBe(7);
		await expect(beforeDeadline(deadline, Promise.reject(new Error('down')))).rejects.toThrow('down');
	});

	it('leaves no timer behind when the work has ended', async () => {
		// Node.js itself has something done soon now and then, which would count as a timer.
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
		await beforeDeadline(Date.now() + 600_000, Promise.resolve(7));
		await jest.advanceTimersByTimeAsync(0);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('gives undefined at the deadline, whatever becomes of the work', async () => {
		jest.useFakeTimers();
		const never = new Promise<number>(() => {});
		let given: unknown = 'nothing yet';
		const isOver = beforeDeadline(Date.now() + 1_000, never).then((value) => (given = value));
		await jest.advanceTimersByTimeAsync(999);
		expect(given).toBe('nothing yet');
		await jest.advanceTimersByTimeAsync(1);
		await isOver;
		expect(given).toBeUndefined();
		jest.useRealTimers();
		expect(await beforeDeadline(Date.now() - 1, never)).toBeUndefined();
	});
});

it('isWithin counts from the first millisecond, and nothing of a clock that was set back', () => {
	expect([99, 100, 109, 110].filter((now) => isWithin(10, 100, now))).toEqual([100, 109]);
});
