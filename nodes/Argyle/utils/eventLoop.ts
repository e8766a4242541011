import { clock } from './clock';

/**
 * Argyle waits ten seconds for the answer to a delivery, and other workflows run in the same process. To answer a
 * delivery, n8n needs dozens of turns of the event loop, and may wait this long for each of them.
 */
const MAX_HELD_MS = 10;

/** If a pause has taken so long, others have used it, and are likely to need the event loop again at once. */
const BUSY_MS = 3;

/** Others go first for so long at a time. If they always have something to do, the work must go on, too. */
const MAX_PAUSE_MS = 30;

async function letOthersRun(): Promise<void> {
	const beganAt = clock.uptime();
	let now = beganAt;
	let isBusy = true;
	while (isBusy && now - beganAt < MAX_PAUSE_MS) {
		await clock.turn();
		const before = now;
		now = clock.uptime();
		isBusy = now - before >= BUSY_MS;
	}
}

/**
 * For work that goes on without waiting, such as reading the rows of a list. While it runs, n8n answers nobody. So the
 * work calls `breathe` between its steps.
 */
export class EventLoopTurn {
	private beganAt = clock.uptime();

	/** Lets n8n answer others, if the work has held the event loop for some time. */
	async breathe(): Promise<void> {
		if (clock.uptime() - this.beganAt < MAX_HELD_MS) return;
		await letOthersRun();
		this.beganAt = clock.uptime();
	}
}

/** Maps the values of a long list one by one, and lets n8n answer others meanwhile. */
export async function mapInTurns<Value, Result>(values: Value[], map: (value: Value) => Result): Promise<Result[]> {
	const turn = new EventLoopTurn();
	const results: Result[] = [];
	for (const value of values) {
		await turn.breathe();
		results.push(map(value));
	}
	return results;
}
