import { setImmediate as nextTurn } from 'node:timers/promises';
import { clock } from '../../../nodes/Argyle/utils/clock';
import { EventLoopTurn } from '../../../nodes/Argyle/utils/eventLoop';

let uptime = 0;
let turns = 0;

/** Takes turns of 5 ms each, one after the other. */
async function takeTurns(count: number): Promise<void> {
	for (let index = 0; index < count; index++) {
		await nextTurn();
		turns++;
		uptime += 5;
	}
}

async function breatheAfter(heldMs: number): Promise<void> {
	const turn = new EventLoopTurn();
	uptime += heldMs;
	await turn.breathe();
}

describe('work that breathes', () => {
	beforeEach(() => {
		turns = 0;
		jest.spyOn(clock, 'uptime').mockImplementation(() => uptime);
	});

	it('goes on at once if it has only begun', async () => {
		const others = takeTurns(1);
		await breatheAfter(9);
		expect(turns).toBe(0);
		await others;
	});

	it('lets others end what they have begun', async () => {
		void takeTurns(5);
		await breatheAfter(10);
		expect(turns).toBe(5);
	});

	it('goes on, too, if others always have something to do', async () => {
		const others = takeTurns(10_000);
		await breatheAfter(10);
		expect(turns).toBeLessThan(10_000);
		await others;
	});

	it('pauses again if work that paused with it has held the event loop since', async () => {
		const turn = new EventLoopTurn();
		uptime += 10;
		const first = turn.breathe().then(() => (uptime += 10));
		const second = turn.breathe().then(() => turns);
		await first;
		await takeTurns(1);
		expect(await second).toBe(1);
	});
});
