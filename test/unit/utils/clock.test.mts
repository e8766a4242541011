import { clock } from '../../../nodes/Argyle/utils/clock';

afterEach(() => jest.useRealTimers());

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

it('clock.pause resolves early, without an error, when its signal aborts', async () => {
	const controller = new AbortController();
	const pause = clock.pause(600_000, controller.signal);
	controller.abort();
	await expect(pause).resolves.toBeUndefined();
});
