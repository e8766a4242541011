import { clock } from '../../../nodes/Argyle/utils/clock';

it('ends a pause early, without an error, when its signal aborts', async () => {
	const controller = new AbortController();
	const pause = clock.pause(600_000, controller.signal);
	controller.abort();
	await expect(pause).resolves.toBeUndefined();
});
